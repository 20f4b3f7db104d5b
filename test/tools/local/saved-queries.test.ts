import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { setFaults } from 'cloud-assembly-emulator/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queriedLogs, queryText, savedQueries } from '../../../lib/saved-queries.ts';
import { generateClientSecret } from '../../../storage/client-secret.ts';
import { fetchToken } from '../../support/fetch-token.ts';
import { parseQuery, type Row } from '../../support/logs-insights.ts';
import { provision } from '../../support/provision.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';

/** The saved queries, run over the lines that functions and gateway write while clients use and misuse the service. */

type LogName = (typeof queriedLogs)[number];

let stack: RunningStack;
let lines: Readonly<Record<LogName, readonly Row[]>>;
let fixtures: Awaited<ReturnType<typeof provision>>['fixtures'];
let syncRequestId: string;
/** An upload whose event got lost, which the reconciliation recorded. */
let lost: { readonly requestId: string; readonly uploadId: string };
const eventChaos = { maximumDelayMilliseconds: 0, doubled: 0, dropped: 0 };

beforeAll(async () => {
  stack = await startRunningStack({ eventChaos });
  ({ fixtures } = await provision(stack.deployment, stack.baseUrl));
  await useAndMisuse();
  await stack.eventsSettled();
  lines = Object.fromEntries(
    await Promise.all(queriedLogs.map(async (name) => [name, await linesOf(name)] as const)),
  ) as typeof lines;
}, 120_000);
afterAll(() => stack?.close());

async function useAndMisuse(): Promise<void> {
  const { client, reader, file, fileNotEnabled } = fixtures;
  const token = await fetchToken(stack.baseUrl, client);
  const issued = await sync(file, token);
  syncRequestId = issued.headers.get('apigw-requestid') ?? '';
  const { data } = (await issued.json()) as { data: { upload_url: string } };
  await fetch(data.upload_url, { method: 'PUT', body: 'twelve bytes' });
  await stack.eventsSettled();
  lost = await loseEvent(file, token);

  const wrong = { ...client, clientSecret: generateClientSecret(randomBytes) };
  await expect(fetchToken(stack.baseUrl, wrong)).rejects.toThrow('401');
  await sync(fileNotEnabled, token);
  await sync('no-such-file', token);
  await sync(file, reader === undefined ? token : await fetchToken(stack.baseUrl, reader));
  await fetch(`${stack.baseUrl}/v0/volumes`);
  await fetch(`${stack.baseUrl}/v0/nowhere`);
  setFaults(stack.stateDirectory, { sts: 'failing' });
  expect((await sync(file, token)).status).toBe(500);
  setFaults(stack.stateDirectory, {});
  expect((await sync(await makeBrokenFile(), token)).status).toBe(500);
}

/** An upload whose event gets lost. The reconciliation fails at first, and records it an hour later. */
async function loseEvent(file: string | undefined, token: string): Promise<typeof lost> {
  const issued = await sync(file, token);
  const { data } = (await issued.json()) as { data: { upload_url: string } };
  eventChaos.dropped = 1;
  await fetch(data.upload_url, { method: 'PUT', body: 'eight by' });
  await stack.eventsSettled();
  eventChaos.dropped = 0;
  const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  setFaults(stack.stateDirectory, { dynamodb: [{ fault: 'failing', operation: 'GetItem' }] });
  await stack.runSchedules(hoursFromNow(1.3));
  setFaults(stack.stateDirectory, {});
  await stack.runSchedules(hoursFromNow(2.5));
  return {
    requestId: issued.headers.get('apigw-requestid') ?? '',
    uploadId: new URL(data.upload_url).pathname.split('/').at(-1) ?? '',
  };
}

/** A file that no release of the service would write. */
async function makeBrokenFile(): Promise<string> {
  const { awsConfig, outputs } = stack.deployment;
  const dynamodb = new DynamoDBClient(awsConfig);
  const fileId = 'broken-file';
  const organisation_id = { S: fixtures.organisationId ?? '' };
  const Item = { file_id: { S: fileId }, organisation_id, sync_enabled: { S: 'certainly' } };
  await dynamodb.send(new PutItemCommand({ TableName: outputs.FilesTableName, Item }));
  dynamodb.destroy();
  return fileId;
}

function sync(fileId: string | undefined, token: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  return fetch(`${stack.baseUrl}/v0/files/${fileId}/sync`, { method: 'POST', headers });
}

/** Parts of the names of log files. */
const files: Readonly<Record<LogName, RegExp>> = {
  access: /^access\.log$/,
  token: /TokenFunction/,
  volumes: /VolumesFunction/,
  sync: /SyncFunction/,
  'well-known': /WellKnownFunction/,
  'record-upload': /RecorderRecord/,
  'reconcile-uploads': /ReconcilerReconcile/,
};

async function linesOf(name: LogName): Promise<readonly Row[]> {
  const logs = join(stack.stateDirectory, 'logs');
  const found = (await readdir(logs)).filter((file) => files[name].test(file));
  const texts = await Promise.all(found.map((file) => readFile(join(logs, file), 'utf8')));
  return texts
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Row);
}

type Name = keyof typeof savedQueries;

function ask(name: Name, changes: (text: string) => string = (text) => text): readonly Row[] {
  const { logs, query } = savedQueries[name];
  const rows = logs.flatMap((log) => lines[log]);
  return parseQuery(changes(queryText(query))).run(rows);
}

describe('each saved query', () => {
  const all = Object.entries(savedQueries).map(([name, { logs, query }]) => ({ name, logs, query }));

  test.each(all)('$name names fields of lines that are in its logs', ({ logs, query }) => {
    const present = new Set(logs.flatMap((log) => lines[log]).flatMap((line) => Object.keys(line)));
    const { reads } = parseQuery(queryText(query));
    expect(reads.size).toBeGreaterThan(0);
    expect([...reads].filter((name) => !present.has(name))).toEqual([]);
  });

  test.each(all)('$name asks no log in which none of its fields can be', ({ logs, query }) => {
    const { reads } = parseQuery(queryText(query));
    for (const log of logs.filter((each) => lines[each].length > 0)) {
      const present = new Set(lines[log].flatMap((line) => Object.keys(line)));
      expect([log, [...reads].some((name) => present.has(name))]).toEqual([log, true]);
    }
  });
});

describe('the answers', () => {
  test('who is refused, and why', () => {
    const { client, reader, organisationId: organisation_id } = fixtures;
    const found = ask('who-is-refused');
    const refusalsOf = (clientId: string | undefined) =>
      found.filter((row) => row.client_id === clientId).map(({ refusal }) => refusal);
    expect(refusalsOf(client.clientId).toSorted()).toEqual(['not_found', 'sync_not_enabled', 'wrong_secret']);
    expect(refusalsOf(reader?.clientId)).toEqual(['insufficient_scope']);
    expect(refusalsOf(undefined)).toEqual(['no_token']);
    expect(new Set(found.map((row) => row.organisation_id))).toEqual(new Set([organisation_id, undefined]));
  });

  test('what happened to one request, from the access log to the function', () => {
    const found = ask('one-request', (text) => text.replace('REQUEST-ID', syncRequestId));
    expect(found.map(({ message, status }) => message ?? status)).toEqual(
      expect.arrayContaining(['Upload URL issued', '200']),
    );
    const uploadId = String(found.find(({ upload_id }) => upload_id !== undefined)?.upload_id);
    const ofUpload = ask('one-request', (text) => text.replace('UPLOAD-ID', uploadId));
    expect(ofUpload.map(({ message }) => message)).toEqual(
      expect.arrayContaining(['Upload URL issued', 'Upload recorded']),
    );
  });

  test.each(['REQUEST-ID', 'UPLOAD-ID'])(
    'what happened to an upload whose event got lost, by its %s',
    (placeholder) => {
      const id = placeholder === 'REQUEST-ID' ? lost.requestId : lost.uploadId;
      const found = ask('one-request', (text) => text.replace(placeholder, id));
      expect(found.map(({ message }) => message).filter((message) => message !== undefined)).toEqual([
        'Upload URL issued',
        ...(placeholder === 'UPLOAD-ID' ? ['Upload could not be reconciled'] : []),
        'Upload recorded',
        'Upload recorded by the reconciliation, its event was lost or could not be recorded',
      ]);
    },
  );

  test('what fails', () => {
    const failed = {
      message: 'Request failed unexpectedly',
      route: 'POST /v0/files/{fileId}/sync',
      client_id: fixtures.client.clientId,
    };
    expect(ask('errors')).toEqual([
      expect.objectContaining({ ...failed, aws_status: expect.any(Number) }),
      expect.objectContaining({ ...failed, error_message: expect.any(String) }),
      expect.objectContaining({ message: 'Upload could not be reconciled', upload_id: lost.uploadId }),
    ]);
  });

  test('who is throttled', () => {
    // The access log alone knows addresses.
    expect(ask('who-is-refused').filter(({ ip }) => ip !== undefined)).toEqual([]);
    const found = ask('who-is-refused', (text) => text.replace('429', '401'));
    expect(found).toContainEqual(
      expect.objectContaining({
        route: 'GET /v0/volumes',
        ip: expect.any(String),
        status: '401',
        refused: 1,
      }),
    );
  });
});
