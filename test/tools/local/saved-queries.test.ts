import { setFaults } from 'cloud-assembly-emulator/faults';
import { queriedLogs, savedQueries } from '../../../lib/saved-queries.ts';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { createApiUser } from '../../support/api-user.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { type Line, readLog } from './support/read-log.ts';

/**
 * Tests the saved queries against the log lines that functions and gateway write during use and misuse of the
 * service.
 */

type LogName = (typeof queriedLogs)[number];

/** Patterns of log file names. */
const files: Readonly<Record<LogName, RegExp>> = {
  access: /^access\.log$/,
  token: /TokenFunction/,
  volumes: /VolumesFunction/,
  sync: /SyncFunction/,
  'well-known': /WellKnownFunction/,
  'record-upload': /RecorderRecord/,
  'reconcile-uploads': /ReconcilerReconcile/,
};

const eventChaos = { maxDelayMilliseconds: 0, doubled: 0, dropped: 0 };

const stack = await useRunningStack({ eventChaos });
await useAndMisuse();
await stack.eventsSettled();
const lines = Object.fromEntries(
  await Promise.all(
    queriedLogs.map(async (log) => [log, await readLog(stack.stateDirectory, files[log])] as const),
  ),
) as Readonly<Record<LogName, readonly Line[]>>;

/** Creates uploads (one with a lost event, so that it is reconciled), rejections of each kind, and errors. */
async function useAndMisuse(): Promise<void> {
  const { newFile, sync, store, requestToken } = await createApiUser(stack);
  const fileId = await newFile();
  await store('recorded', fileId);
  eventChaos.dropped = 1;
  await store('reconciled', fileId);
  setFaults(stack.stateDirectory, { dynamodb: [{ fault: 'failing', operation: 'GetItem' }] });
  await requestToken({ client_secret: 'wrong' });
  expect((await requestToken()).status).toBe(500);
  await stack.runSchedules(new Date(Date.now() + 2 * 3_600_000));
  setFaults(stack.stateDirectory, {});
  expect((await sync('no-such-file')).status).toBe(404);
  expect((await sync(await makeBrokenFile())).status).toBe(500);
  expect((await fetch(`${stack.baseUrl}/v0/volumes`)).status).toBe(401);
}

/** Stores a file that no release of the service would write. @returns file id */
async function makeBrokenFile(): Promise<string> {
  const database = await dynamoDBClient(stack.deployment);
  const Item = { file_id: { S: 'broken' }, organisation_id: { S: 'acme' }, sync_enabled: { S: 'certainly' } };
  await database.putItem({ TableName: stack.deployment.outputs.FilesTableName, Item });
  return 'broken';
}

const keywords = 'fields|filter|stats|count|as|by|sort|asc|desc|limit|or|and|in';

/** Lists the log fields that a query command reads. */
function fieldsOf(command: string): readonly string[] {
  const bare = command.replaceAll(/"[^"]*"|@\w+|\bas \w+/g, '');
  return (bare.match(/[a-z_]+/g) ?? []).filter((word) => !new RegExp(`^(${keywords})$`).test(word));
}

/** Returns the values that a query command compares with fields. */
function valuesOf(command: string): readonly (readonly [field: string, value: string])[] {
  return [...command.matchAll(/(\w+) (?:= |in \[)((?:"[^"]*"(?:, )?)+)/g)].flatMap(
    ([, field = '', values = '']) =>
      [...values.matchAll(/"([^"]*)"/g)].map(([, value = '']) => [field, value] as const),
  );
}

test.for(Object.entries(savedQueries))(
  '%s reads fields and values that its logs contain',
  ([, { logs, query }]) => {
    const made = query.flatMap((command) => [...command.matchAll(/\bas (\w+)/g)].map(([, name]) => name));
    const fields = query.flatMap(fieldsOf).filter((field) => !made.includes(field));
    expect(fields.length).toBeGreaterThan(1);
    const asked = logs.flatMap((log) => lines[log]);
    expect(fields.filter((field) => !asked.some((line) => field in line))).toEqual([]);
    // Each queried log must contain at least one of the fields.
    const inVain = logs.filter(
      (log) => lines[log].length > 0 && !lines[log].some((line) => fields.some((field) => field in line)),
    );
    expect(inVain).toEqual([]);
    const absent = query
      .flatMap(valuesOf)
      .filter(([field, value]) => !value.endsWith('-ID') && !asked.some((line) => line[field] === value));
    expect(absent).toEqual([]);
  },
);
