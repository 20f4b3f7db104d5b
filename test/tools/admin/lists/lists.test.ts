import { beforeEach, describe, expect, test } from 'vitest';
import { timestamp } from '../../../../storage/attributes.ts';
import { readClients } from '../../../../tools/operator/clients/client.ts';
import { listFiles } from '../../../../tools/operator/files/file.ts';
import { listUploads, readUploads } from '../../../../tools/operator/uploads/upload.ts';
import { startAws } from '../../../support/aws.ts';
import { type AdminRun, admin } from '../../../support/run-admin.ts';
import { clientItem, fileItem, hoursEarlier, putIssued, uploadIdOf, uploadItem } from '../items.ts';

/** So many of each kind, each an hour older than the one before: several pages of an index, and parts of a list. */
const many = 700;
const organisations = ['acme', 'umbrella', 'initech'];

/** A number whose order as text is not the order of the hours. */
const scattered = (hours: number) => String((hours * 7919) % 1009).padStart(4, '0');

const hours = Array.from({ length: many }, (_, index) => index);
const together = Array.from(
  { length: 300 },
  (_, index) => `same-${String((index * 7) % 300).padStart(3, '0')}`,
);
const of = (hour: number) => ({ organisation_id: organisations[hour % 3] ?? '' });
const small = { organisation_id: 'small' };
const gone = { organisation_id: 'gone', deleted_at: timestamp(hoursEarlier(1)) };
const own = { ...small, file_id: 'invoices', client_id: 'client_stopped' };
const cancelled_at = timestamp(hoursEarlier(9000));

const aws = await startAws({
  clients: [
    ...hours.map((hour) => clientItem(`client_${scattered(hour)}`, hour, of(hour))),
    clientItem('client_nightly', 1000, { ...small, name: 'Nightly of Small' }),
    clientItem('client_stopped', 1005, { ...small, status: 'revoked' }),
    clientItem('client_gone', 1009, { ...gone, status: 'revoked' }),
  ],
  files: [
    ...hours.map((hour) => fileItem(`file_${scattered(hour)}`, hour, of(hour))),
    fileItem('orders', 1000, small),
    fileItem('invoices', 1007, small),
    fileItem('gone', 1010, gone),
    ...together.map((id, index) => fileItem(id, 2000, { organisation_id: index % 3 === 0 ? 'one' : 'two' })),
  ],
  uploads: [
    ...hours.map((hour) => uploadItem(hour, of(hour))),
    uploadItem(9000, own),
    uploadItem(9001, { ...own, state: 'cancelled', cancelled_at }),
    uploadItem(9002, { ...own, state: 'issued' }),
  ],
});
beforeEach(() => aws.calls.clear());

const run = (words: string, form = '--json') =>
  admin(aws.deployment, ['--local', ...words.split(' '), ...form.split(' ').filter(Boolean)]);
const onTerminal = (words: string) =>
  admin(aws.deployment, ['--local', ...words.split(' ')], { NO_COLOR: '1' }, { columns: 120 });

const dataOf = (listed: AdminRun) => listed.json().data as Record<string, string>[];
const idsOf = (listed: AdminRun) =>
  dataOf(listed).map(({ upload_id, file_id, client_id }) => upload_id ?? file_id ?? client_id);
const timesOf = (listed: AdminRun) =>
  dataOf(listed).map(({ issued_at, created_at }) => issued_at ?? created_at ?? '');
const timeOf = (hours: number) => timestamp(hoursEarlier(hours));

test.for(['client', 'file', 'upload'])('%s list reads no more than its limit needs', async (noun) => {
  expect(timesOf(await run(`${noun} list --limit 150`))).toEqual(hours.slice(0, 150).map(timeOf));
  expect(aws.calls.get('BatchGetItem')).toBe(2);
});

test('entries of the same moment are in the order of their ids', async () => {
  const until = hoursEarlier(1999).toISOString();
  const listed: string[] = [];
  for await (const page of listFiles(aws.deployment, { until })) {
    listed.push(...page.map(({ file_id }) => file_id));
  }
  expect(listed).toEqual(together.toSorted());
});

describe('a list in pages', () => {
  test('has everything once, in order, also when time is up after each part', async () => {
    const listed: (string | undefined)[] = [];
    let after: string | undefined;
    do {
      const place = { after, enough: 70, isTimeUp: () => true };
      const page = await readClients(aws.deployment, {}, place);
      listed.push(...page.entries.map(({ created_at }) => created_at));
      after = page.next;
    } while (after !== undefined);
    expect(listed.slice(0, many)).toEqual(hours.map(timeOf));
  });

  test('says how far it looked when time was up', async () => {
    const place = { enough: 5, isTimeUp: () => true };
    const page = await readUploads(aws.deployment, { request: 'nobody' }, place);
    expect(page).toMatchObject({ entries: [], isCutShort: true, read: 100 });
  });

  test('refuses a place that does not exist', async () => {
    await expect(readClients(aws.deployment, {}, { after: 'x', enough: 5 })).rejects.toThrow(
      'Start at the first page of the list.',
    );
  });
});

test('the first page comes before the others are read', async () => {
  const { value } = await listUploads(aws.deployment, {})[Symbol.asyncIterator]().next();
  expect(value?.[0]?.upload_id).toBe(uploadIdOf(0));
  expect(aws.calls.get('BatchGetItem')).toBe(1);
});

describe('the number of entries', () => {
  test('is 100 on a terminal, with the command that shows more', async () => {
    const shown = await onTerminal('upload list --file orders --status=completed');
    expect(shown.stdout.trimEnd().split('\n')).toHaveLength(101);
    expect(shown.stderr).toBe('The first 100 uploads. To see more, add --limit 1000.\n');
    const given = await onTerminal('upload list --limit=5 --file orders');
    expect(given.stderr).toContain('To see more, add --limit 50.\n');
  });

  test('is named when that is all', async () => {
    expect((await onTerminal('client list --organisation small')).stderr).toBe('2 clients\n');
    expect((await onTerminal('client list --organisation small --limit 2')).stderr).toBe('2 clients\n');
    const none = await onTerminal('client list --organisation nobody');
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'No clients.\n' });
  });

  test('is all in a pipe and as JSON and CSV, unless there is a limit', async () => {
    const all = many + 3;
    expect((await run('upload list', '')).stderr).toBe(`${all} uploads\n`);
    expect((await onTerminal('upload list --csv')).stdout.trimEnd().split('\r\n')).toHaveLength(all + 1);
    expect(dataOf(await onTerminal('upload list --json'))).toHaveLength(all);
    expect((await run('upload list --limit 3', '')).stderr).toMatch(/^The first 3 uploads.* --limit 30\.\n$/);
  });
});

describe('filters', () => {
  test.for([
    ['client list --status deleted', ['client_gone']],
    ['client list --organisation gone', []],
    ['client list --name STOPPED', ['client_stopped']],
    ['file list --organisation gone', []],
    ['file list --status deleted', ['gone']],
    ['upload list --organisation small --status expired', [uploadIdOf(9002)]],
  ] as const)('%s', async ([words, expected]) => {
    expect(idsOf(await run(words))).toEqual(expected);
  });

  test('find an upload whose URL still works', async () => {
    const newest = await putIssued(aws, 1);
    expect(idsOf(await run('upload list --status issued'))).toEqual([newest]);
    expect(idsOf(await run('upload list --since 2h'))).toEqual([newest]);
  });

  test.for(['file', 'client'])('name an unknown %s', async (noun) => {
    const failed = await run(`upload list --${noun} unknown`);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain(`error: There is no ${noun} "unknown".`);
  });
});

test.for(
  Object.entries({
    'upload list --limit 0': '"0" is not a limit: use a whole number from 1 to 999999999.',
    'upload list --limit 1e3': '"1e3" is not a limit',
    'client list --since yesterday':
      '"yesterday" is not a time for --since: use ISO 8601, such as 2026-01-31 or',
    'file list --until 2026-13-01': '"2026-13-01" is not a time for --until',
    'file list --since 2026-01-01T25:00': 'is not a time',
    'file list --since 99999999d': 'is not a time',
    'file list --since 2026-01-01 --until 2026-01-01': '--since must be before --until',
    'client list --status lost': 'Allowed choices are',
    'client list --json --csv': 'Choose one form of the result: --json or --csv, not both.',
    'client list --file orders': "unknown option '--file'",
  }),
)('%s exits 2 and asks nothing of a deployment', async ([words, reason]) => {
  const refused = { code: 2, opened: [], stdout: '', stderr: expect.stringContaining(reason) };
  expect(await admin(undefined, ['--local', ...words.split(' ')])).toMatchObject(refused);
});
