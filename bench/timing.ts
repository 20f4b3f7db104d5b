/**
 * Measures whether a caller can tell an unknown client from a wrong secret by the time that a refusal takes.
 *
 *     npm run bench -- timing [--rounds 4000]
 *
 * Each round refuses both, in random order. It is measured in the function itself, with dynalite as DynamoDB, and over
 * HTTP with a local run. A second wrong secret is the control: a difference between two wrong secrets is noise.
 */

import '../test/support/quiet-sdk.ts';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { localDeployment } from '../cli/deployment/local-deployment.ts';
import { createClient } from '../cli/operations/clients.ts';
import { newIdentifier } from '../contract/identifiers.ts';
import { createReadClient } from '../lambdas/token/read-client.ts';
import { createTokenHandler } from '../lambdas/token/token-endpoint.ts';
import { generateClientSecret } from '../storage/client-secret.ts';
import { startDynamodb } from '../test/support/dynamodb.ts';
import { httpEvent } from '../test/support/http-event.ts';
import { startLocalRun } from '../test/support/local-run.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '4000' } } });
const rounds = Number(values.rounds);

/** Asks for a token. Resolves when the answer is 401. */
type Refuse = (clientId: string, clientSecret: string) => Promise<void>;

await inFunction();
await overHttp();

async function inFunction(): Promise<void> {
  const database = await startDynamodb({ clients: 'client_id' });
  const known = newIdentifier('client', randomBytes);
  const digest = createHash('sha256').update(generateClientSecret(randomBytes)).digest('hex');
  await database.client.send(
    new PutItemCommand({
      TableName: 'clients',
      Item: {
        client_id: { S: known },
        organisation_id: { S: 'acme' },
        status: { S: 'active' },
        scopes: { L: [{ S: 'volume:read' }, { S: 'sync:create' }] },
        secrets: { L: [{ M: { secret_id: { S: 's' }, sha256: { S: digest } } }] },
      },
    }),
  );
  const handler = createTokenHandler({
    readClient: createReadClient(database.client, 'clients'),
    signingKeys: () => Promise.reject(new Error('Nothing is to be signed')),
    baseUrl: 'https://api.example.com',
    lifetimeSeconds: 3600,
    now: Date.now,
    newTokenId: () => 'none',
    log: () => undefined,
  });
  await measure('in the function', known, async (clientId, clientSecret) => {
    const body = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await handler(httpEvent({ headers, body }));
    if (answer.statusCode !== 401) {
      throw new Error(`answered ${answer.statusCode}`);
    }
  });
  await database.stop();
}

async function overHttp(): Promise<void> {
  const run = await startLocalRun();
  const admin = await localDeployment(run.stateDirectory);
  const { client_id: known } = await createClient(admin, {
    organisationId: 'acme',
    name: 'Timing',
    scopes: ['volume:read', 'sync:create'],
  });
  await measure('over HTTP, local run', known, async (client_id, client_secret) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    const answer = await fetch(`${run.baseUrl}/oauth/token`, { method: 'POST', body });
    await answer.arrayBuffer();
    if (answer.status !== 401) {
      throw new Error(`answered ${answer.status}`);
    }
  });
  await run.stop();
}

async function measure(where: string, known: string, refuse: Refuse): Promise<void> {
  const kinds = {
    unknown: () => refuse(newIdentifier('client', randomBytes), generateClientSecret(randomBytes)),
    wrong: () => refuse(known, generateClientSecret(randomBytes)),
    control: () => refuse(known, generateClientSecret(randomBytes)),
  };
  const samples: Record<keyof typeof kinds, number[]> = { unknown: [], wrong: [], control: [] };
  for (let round = -200; round < rounds; round += 1) {
    for (const kind of shuffled(['unknown', 'wrong', 'control'] as const)) {
      const startedAt = performance.now();
      await kinds[kind]();
      // The first 200 rounds fill caches and are not counted.
      if (round >= 0) {
        samples[kind].push((performance.now() - startedAt) * 1000);
      }
    }
  }
  const { unknown, wrong, control } = samples;
  process.stdout.write(`${where}, ${rounds} refusals of each kind, in microseconds\n`);
  process.stdout.write(
    `  median: unknown client ${text(median(unknown))}, wrong secret ${text(median(wrong))}\n`,
  );
  report('unknown client - wrong secret', unknown, wrong);
  report('wrong secret - wrong secret (noise)', control, wrong);
}

/** Prints the difference of the medians, with its 95 % interval (bootstrap). */
function report(name: string, some: readonly number[], others: readonly number[]): void {
  const again = Array.from({ length: 400 }, () => median(redrawn(some)) - median(redrawn(others)));
  again.sort((one, other) => one - other);
  const [low = 0, high = 0] = [again[10], again[389]];
  const difference = text(median(some) - median(others));
  process.stdout.write(`  ${name}: ${difference} (95 %: ${text(low)} to ${text(high)})\n`);
}

function redrawn(samples: readonly number[]): number[] {
  return samples.map(() => samples[Math.floor(Math.random() * samples.length)] ?? 0);
}

function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(randomInt(rest.length), 1));
}

function text(microseconds: number): string {
  return microseconds.toFixed(1);
}
