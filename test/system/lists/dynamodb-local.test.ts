import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { describe, expect, test, vi } from 'vitest';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { attributeOf } from '../../../tools/operator/description/field.ts';
import { readPage } from '../../../tools/operator/lists/read.ts';
import { outputs, putItems, tables } from '../../support/aws.ts';
import { definitionOf } from '../../support/dynamodb.ts';
import { lacks } from '../../support/missing-tool.ts';
import { idsWith, lists, manyListed, nouns } from '../../tools/operator/lists/many-listed.ts';

/**
 * Tests the lists on Amazon's DynamoDB Local, which rejects calls that the DynamoDB documentation does not
 * allow.
 */

const folder = await temporaryFolder();
const pom = fileURLToPath(new URL('pom.xml', import.meta.url));
// The libraries must be in Maven's repository.
const copy = ['-o', '-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
const missing = lacks('java', '-version') ?? lacks('mvn', ...copy);

/** Starts DynamoDB Local with the tables of the service and their items. */
async function startService(): Promise<Deployment> {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = Object(free.address());
  await new Promise((resolve) => free.close(resolve));
  const runner = 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner';
  const java = [`-Djava.library.path=${folder}`, '-cp', `${folder}/*`, runner];
  const server = spawn('java', [...java, '-inMemory', '-disableTelemetry', '-port', String(port)], {
    stdio: 'ignore',
  });
  atEnd(async () => void server.kill());
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const awsConfig = { region: 'us-east-1', endpoint: `http://127.0.0.1:${port}`, credentials };
  const deployment = { stackName: 'test', outputs, awsConfig, now: Date.now };
  const database = await dynamoDBClient(deployment);
  await vi.waitFor(() => database.listTables({}), { timeout: 240_000, interval: 200 });
  for (const [TableName, keys] of Object.entries(tables)) {
    await database.createTable({ TableName, BillingMode: 'PAY_PER_REQUEST', ...definitionOf(keys) });
  }
  await putItems(database, manyListed);
  return deployment;
}

const deployment = missing === undefined ? await startService() : undefined;
const service = () => deployment ?? expect.fail(missing);

describe.skipIf(missing !== undefined)(`on DynamoDB Local${missing ? ` (${missing})` : ''}`, () => {
  test.for(nouns)('all %ss are listed, newest first, page by page', async (noun) => {
    const source = await lists[noun].source(service(), {});
    const ids: string[] = [];
    let after: string | undefined;
    do {
      const { entries, next } = await readPage<object>(service(), source, { after, limit: 45 });
      ids.push(...entries.map((entry) => String(attributeOf(entry, `${noun}_id`))));
      after = next;
    } while (after !== undefined);
    expect(ids).toEqual(idsWith(noun, []));
  });
});
