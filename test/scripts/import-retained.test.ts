import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { creationOrder } from '../../emulator/cloudformation/dependencies.ts';
import { templateSchema } from '../../emulator/cloudformation/template.ts';
import { type DeletedResource, planImport } from '../../scripts/retained/import-plan.ts';
import { synthesized } from '../support/synthesized.ts';

const { Resources } = synthesized().document;

/** The stack after its deletion: resources that the template retains were skipped. */
const deleted: readonly DeletedResource[] = Object.entries(Resources).map(
  ([logicalId, { Type, DeletionPolicy = 'Delete' }]) => ({
    logicalId,
    type: Type,
    physicalId: `physical-${logicalId}`,
    status: DeletionPolicy === 'Delete' ? 'DELETE_COMPLETE' : 'DELETE_SKIPPED',
  }),
);

describe('what is imported', () => {
  const plan = planImport(Resources, deleted);

  it('are the tables, the bucket, the queue, the key and both secrets, by the identifier of their type', () => {
    const identifier = ({ ResourceType, ResourceIdentifier }: (typeof plan.resourcesToImport)[number]) =>
      `${ResourceType} ${Object.keys(ResourceIdentifier).join()}`;
    expect(plan.resourcesToImport.map(identifier).sort()).toEqual([
      'AWS::DynamoDB::Table TableName',
      'AWS::DynamoDB::Table TableName',
      'AWS::DynamoDB::Table TableName',
      'AWS::KMS::Key KeyId',
      'AWS::S3::Bucket BucketName',
      'AWS::SQS::Queue QueueUrl',
      'AWS::SecretsManager::Secret Id',
      'AWS::SecretsManager::Secret Id',
    ]);
    for (const { LogicalResourceId, ResourceIdentifier } of plan.resourcesToImport) {
      expect(Object.values(ResourceIdentifier)).toEqual([`physical-${LogicalResourceId}`]);
    }
  });

  it('is a template of its own, that retains each and refers to nothing else', () => {
    const template = v.parse(templateSchema, plan.template);
    expect(creationOrder(template.Resources).sort()).toEqual(
      plan.resourcesToImport.map(({ LogicalResourceId }) => LogicalResourceId).sort(),
    );
    for (const resource of Object.values(template.Resources)) {
      expect([resource.DeletionPolicy, resource.UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
    }
    const named = JSON.stringify(plan.template).match(/"(?:Ref|Fn::GetAtt)":\[?"[^"]+"/g) ?? [];
    expect(named.filter((reference) => !/AWS::|SigningKeyEncryptionKey/.test(reference))).toEqual([]);
  });

  it('has the properties of the template, but for what a key policy says of roles', () => {
    for (const [id, resource] of Object.entries(plan.template.Resources)) {
      const { Properties } = resource as { readonly Properties: Readonly<Record<string, unknown>> };
      const { KeyPolicy, ...others } = Properties;
      expect(others).toEqual(expect.objectContaining(withoutPolicy(Resources[id]?.Properties)));
      if (KeyPolicy !== undefined) {
        const { Statement } = KeyPolicy as { readonly Statement: readonly unknown[] };
        expect(Statement).toHaveLength(2);
        expect(JSON.stringify(Statement)).not.toContain('Role');
      }
    }
  });

  it('leaves out what was deleted', () => {
    const gone = deleted.map((it) =>
      it.type === 'AWS::SQS::Queue' ? { ...it, status: 'DELETE_COMPLETE' } : it,
    );
    expect(planImport(Resources, gone).resourcesToImport).toHaveLength(7);
  });

  it('is refused for a secret whose key is gone, and for a resource that this version does not have', () => {
    const withoutKey = deleted.filter(({ type }) => type !== 'AWS::KMS::Key');
    expect(() => planImport(Resources, withoutKey)).toThrow(
      /SigningKeyPrivateKeys\w+ needs SigningKeyEncryption/,
    );
    const older = [{ logicalId: 'Old', type: 'AWS::S3::Bucket', physicalId: 'b', status: 'DELETE_SKIPPED' }];
    expect(() => planImport(Resources, older)).toThrow(
      'This version of the service has no AWS::S3::Bucket Old',
    );
  });
});

function withoutPolicy(properties: Readonly<Record<string, unknown>> = {}) {
  const { KeyPolicy, ...others } = properties;
  return others;
}

describe('npm run import-retained', () => {
  const name = 'file-sync-prod';
  const stackId = (uuid: string) => `arn:aws:cloudformation:us-east-1:000000000000:stack/${name}/${uuid}`;
  let folder: string;
  let stacks: readonly { readonly id: string; readonly status: string; readonly deleted?: string }[];
  let endpoint: string;
  let close: () => Promise<unknown>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-sync-import-'));
    const server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    };
  });
  afterEach(async () => {
    await close();
    await rm(folder, { recursive: true });
  });

  /** Only the last deletion but one retained anything: after it, a creation failed. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const input = new URLSearchParams(await text(request));
    const operation = input.get('Action') ?? '';
    const members =
      operation === 'ListStacks' ? stackMembers() : resourceMembers(input.get('StackName') ?? '');
    const list = operation === 'ListStacks' ? 'StackSummaries' : 'StackResourceSummaries';
    response.setHeader('content-type', 'text/xml');
    response.end(
      `<${operation}Response><${operation}Result><${list}>${members}</${list}></${operation}Result></${operation}Response>`,
    );
  }

  const member = (fields: Readonly<Record<string, string>>) =>
    `<member>${Object.entries(fields)
      .map(([key, value]) => `<${key}>${value}</${key}>`)
      .join('')}</member>`;

  function stackMembers(): string {
    return stacks
      .map(({ id, status, deleted: DeletionTime }) =>
        member({
          StackName: name,
          StackId: stackId(id),
          StackStatus: status,
          CreationTime: '2026-01-01T00:00:00Z',
          ...(DeletionTime && { DeletionTime }),
        }),
      )
      .join('');
  }

  function resourceMembers(id: string): string {
    return deleted
      .map(({ logicalId, type, physicalId, status }) =>
        member({
          LogicalResourceId: logicalId,
          ResourceType: type,
          PhysicalResourceId: physicalId,
          ResourceStatus: id === stackId('complete') ? status : 'DELETE_COMPLETE',
          LastUpdatedTimestamp: '2026-01-01T00:00:00Z',
        }),
      )
      .join('');
  }

  function run(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const options = {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      env: {
        ...process.env,
        AWS_ENDPOINT_URL: endpoint,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'secret',
        NODE_NO_WARNINGS: '1',
      },
    };
    const command = ['--import', 'tsx', 'scripts/import-retained.ts', '--output', folder, ...args];
    return new Promise((resolve) => {
      execFile(process.execPath, command, options, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
      );
    });
  }

  it('writes both files for the last stack that retained data, and prints the commands', async () => {
    stacks = [
      { id: 'failed', status: 'DELETE_COMPLETE', deleted: '2026-03-01T00:00:00Z' },
      { id: 'complete', status: 'DELETE_COMPLETE', deleted: '2026-02-01T00:00:00Z' },
    ];
    const { code, stdout, stderr } = await run('--stack', name);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`${stackId('complete')}, deleted 2026-02-01T00:00:00.000Z, retained:`);
    expect(stdout).toContain(`--template-body file://${folder}/template.json`);
    expect(stdout).toContain('npx cdk deploy');
    const expected = planImport(Resources, deleted);
    expect(JSON.parse(await readFile(join(folder, 'template.json'), 'utf8'))).toEqual(expected.template);
    expect(JSON.parse(await readFile(join(folder, 'resources.json'), 'utf8'))).toEqual(
      expected.resourcesToImport,
    );
  });

  it('refuses while a stack of the name exists, and says what to do', async () => {
    stacks = [{ id: 'complete', status: 'UPDATE_COMPLETE' }];
    const { code, stderr } = await run('--stack', name);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The stack file-sync-prod exists \(UPDATE_COMPLETE\).*npx cdk destroy\.\n$/);
  });

  it('says so when no deleted stack retained anything', async () => {
    stacks = [{ id: 'failed', status: 'DELETE_COMPLETE', deleted: '2026-03-01T00:00:00Z' }];
    const { code, stderr } = await run('--stack', name);
    expect(code).toBe(1);
    expect(stderr).toContain('CloudFormation knows no deleted stack file-sync-prod that retained data');
  });

  it('takes the two stages only', async () => {
    expect((await run('--stack', 'other')).code).toBe(2);
  });
});
