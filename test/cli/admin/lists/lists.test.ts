import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { timestamp } from '../../../../storage/attributes.ts';
import { type FakeAws, startFakeAws } from '../../../support/fake-aws.ts';
import { type AdminRun, admin } from '../../../support/run-admin.ts';
import { clientItem, fileItem, hoursEarlier, uploadIdOf, uploadItem } from './items.ts';

let aws: FakeAws;

/** So many uploads of one organisation, each an hour older than the one before. They are more than one page. */
const many = 2500;

beforeAll(async () => {
  aws = await startFakeAws();
  const places = Array.from({ length: many }, (_, index) => index);
  // Not in the order of time, and not more at a time than the SDK has connections.
  const groups = Math.ceil(many / 40);
  for (let group = 0; group < groups; group += 1) {
    await Promise.all(places.filter((hours) => hours % groups === group).map(putMany));
  }
  await aws.putItem('files', fileItem('orders', 0, { organisation_id: 'small' }));
  await aws.putItem('clients', clientItem('client_nightly', 0, { organisation_id: 'small' }));
  await aws.putItem(
    'clients',
    clientItem('client_stopped', 5, { organisation_id: 'small', status: 'revoked' }),
  );
  await aws.putItem('files', fileItem('invoices', 7, { organisation_id: 'small' }));
  const gone = { organisation_id: 'gone', deleted_at: timestamp(hoursEarlier(1)) };
  await aws.putItem('clients', clientItem('client_gone', 9, { ...gone, status: 'revoked' }));
  await aws.putItem('files', fileItem('gone', 9, gone));
  const small = { organisation_id: 'small', file_id: 'invoices', client_id: 'client_stopped' };
  await aws.putItem('uploads', uploadItem(9000, small));
  await aws.putItem(
    'uploads',
    uploadItem(9001, { ...small, state: 'cancelled', cancelled_at: timestamp(hoursEarlier(9000)) }),
  );
  await aws.putItem('uploads', uploadItem(9002, { ...small, state: 'issued' }));
  const open = { state: 'issued', expires_at: timestamp(new Date(Date.now() + 3_600_000)) };
  await aws.putItem('uploads', uploadItem(9003, { ...small, ...open }));
});
afterAll(() => aws.stop());
beforeEach(() => aws.calls.clear());

async function putMany(hours: number): Promise<void> {
  await aws.putItem('uploads', uploadItem(hours, { version_id: 'v'.repeat(200) }));
  if (hours < 300) {
    await aws.putItem('clients', clientItem(`client_${scattered(hours)}`, hours));
    await aws.putItem('files', fileItem(`file_${scattered(hours)}`, hours));
  }
}

/** A number whose order as text is not the order of the hours. */
const scattered = (hours: number) => String((hours * 7919) % 1009).padStart(4, '0');

const run = (...parameters: readonly string[]) => admin(aws.deployment, ['--local', ...parameters]);
const onTerminal = (...parameters: readonly string[]) =>
  admin(aws.deployment, ['--local', ...parameters], { NO_COLOR: '1' }, { columns: 120 });

const dataOf = (listed: AdminRun) => listed.json().data as Record<string, string>[];
const timesOf = (listed: AdminRun) =>
  dataOf(listed).map(({ issued_at, created_at }) => issued_at ?? created_at ?? '');
const times = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => timestamp(hoursEarlier(from + index)));

describe('the order of a list is newest first', () => {
  test.each([
    ['upload list --organisation acme', many],
    ['upload list --file orders', many],
    ['upload list --client client_nightly', many],
    ['client list --organisation acme', 300],
    ['file list --organisation acme', 300],
  ])('%s', async (words, count) => {
    expect(timesOf(await run(...words.split(' '), '--json'))).toEqual(times(count));
    expect(timesOf(await run(...words.split(' '), '--json', '--limit', '7'))).toEqual(times(7));
  });

  test.each(['client list', 'file list', 'upload list'])('%s of the whole table', async (words) => {
    const all = timesOf(await run(...words.split(' '), '--json'));
    expect(all.length).toBeGreaterThan(300);
    expect(all).toEqual([...all].sort().reverse());
    const newest = await run(...words.split(' '), '--json', '--limit', '20');
    expect(timesOf(newest)).toEqual(all.slice(0, 20));
  });
});

describe('a page is read when it is needed', () => {
  test('the newest of an index are one page', async () => {
    await onTerminal('upload', 'list', '--organisation', 'acme');
    await run('upload', 'list', '--organisation', 'acme', '--limit', '5', '--json');
    expect(aws.calls.get('Query')).toBe(2);
    expect(aws.calls.has('Scan')).toBe(false);
  });

  test('the rest of an upload is read from the table for those that are shown', async () => {
    await run('upload', 'list', '--organisation', 'acme', '--limit', '5', '--json');
    expect(aws.calls.get('BatchGetItem')).toBe(1);
    aws.calls.clear();
    await run('upload', 'list', '--organisation', 'acme', '--json');
    expect(aws.calls.get('BatchGetItem')).toBeGreaterThanOrEqual(many / 100);
  });

  test('a range of times leaves out the pages of other times', async () => {
    // Sixty of these are more than a page of the index.
    const wide = { organisation_id: 'wide', file_id: 'wide', client_id: 'c'.repeat(20_000) };
    await Promise.all(
      Array.from({ length: 60 }, (_, hours) =>
        aws.putItem('uploads', {
          ...uploadItem(hours, wide),
          upload_id: { S: uploadIdOf(hours).replace(/.$/, 'f') },
        }),
      ),
    );
    aws.calls.clear();
    await run('upload', 'list', '--organisation', 'wide', '--json');
    const pages = aws.calls.get('Query') ?? 0;
    expect(pages).toBeGreaterThan(1);
    aws.calls.clear();
    const since = timestamp(hoursEarlier(10));
    const until = timestamp(hoursEarlier(4));
    const range = ['--since', since, '--until', until, '--json'];
    expect(timesOf(await run('upload', 'list', '--organisation', 'wide', ...range))).toEqual(times(6, 5));
    expect(aws.calls.get('Query')).toBe(1);
  });
});

describe('the number of entries', () => {
  test.each([[['--limit', '5']], [['--limit=5']]])(
    '%j is replaced in the command that shows more',
    async (limit) => {
      const shown = await onTerminal('upload', 'list', ...limit, '--file', 'orders');
      expect(shown.stderr).toContain('To see more: admin --local upload list --file orders --limit 50\n');
    },
  );

  test('is 100 on a terminal, with the command that shows more', async () => {
    const shown = await onTerminal('upload', 'list', '--file', 'orders', '--state=completed');
    expect(shown.stdout.trimEnd().split('\n')).toHaveLength(101);
    expect(shown.stderr).toBe(
      'The newest 100 uploads. To see more: ' +
        'admin --local upload list --file orders --state=completed --limit 1000\n',
    );
    const words = shown.stderr.trimEnd().split('To see more: admin ')[1]?.split(' ') ?? [];
    const more = await admin(aws.deployment, words, { NO_COLOR: '1' }, { columns: 120 });
    expect(more.stdout.startsWith(shown.stdout)).toBe(true);
    expect(more.stdout.trimEnd().split('\n')).toHaveLength(1001);
    expect(more.stderr).toContain('--limit 10000\n');
  });

  test('is named when that is all', async () => {
    const shown = await onTerminal('client', 'list', '--organisation', 'small');
    expect(shown.stderr).toBe('2 clients\n');
    const none = await onTerminal('client', 'list', '--organisation', 'nobody');
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'No clients.\n' });
    const exact = await onTerminal('client', 'list', '--organisation', 'small', '--limit', '2');
    expect(exact.stderr).toBe('2 clients\n');
  });

  test('is all in a pipe, unless there is a limit', async () => {
    expect((await run('file', 'list', '--organisation', 'acme')).stderr).toBe('300 files\n');
    const limited = await run('file', 'list', '--organisation', 'acme', '--limit', '3');
    expect(limited.stdout.trimEnd().split('\n')).toHaveLength(4);
    expect(limited.stderr).toMatch(/^The newest 3 files. To see more: .* --limit 30\n$/);
  });

  test('is all on a terminal as JSON and CSV', async () => {
    const words = ['file', 'list', '--organisation', 'acme'];
    expect((await onTerminal(...words, '--csv')).stdout.trimEnd().split('\r\n')).toHaveLength(301);
    expect(dataOf(await onTerminal(...words, '--json'))).toHaveLength(300);
  });
});

describe('filters', () => {
  const ids = async (...words: readonly string[]) => {
    const listed = dataOf(await run(...words, '--json'));
    return listed.map(({ upload_id, file_id, client_id }) => upload_id ?? file_id ?? client_id);
  };

  test.each([
    ['client list --status revoked', ['client_stopped']],
    ['client list --status active --organisation small', ['client_nightly']],
    ['client list --status deleted', ['client_gone']],
    ['client list --organisation gone', ['client_gone']],
    ['client list --client client_stopped', ['client_stopped']],
    ['client list --client client_stopped --organisation acme', []],
    ['file list --organisation small --status enabled', ['orders']],
    ['file list --organisation small --status disabled', ['invoices']],
    ['file list --organisation gone --status enabled', []],
    ['file list --organisation gone --status disabled', []],
    ['file list --status deleted', ['gone']],
    ['file list --file gone --status deleted', ['gone']],
    ['file list --file invoices', ['invoices']],
    ['file list --file invoices --organisation acme', []],
    ['upload list --file invoices --status completed', [uploadIdOf(9000)]],
    ['upload list --file invoices --state completed', [uploadIdOf(9000)]],
    ['upload list --client client_stopped --status cancelled', [uploadIdOf(9001)]],
    ['upload list --organisation small --status expired', [uploadIdOf(9002)]],
    ['upload list --status issued', [uploadIdOf(9003)]],
    ['upload list --organisation small --client client_nightly', []],
  ])('%s', async (words, expected) => {
    expect(await ids(...words.split(' '))).toEqual(expected);
  });

  test.each([
    ['client list --organisation small', ['client_nightly', 'client_stopped']],
    ['file list --organisation small', ['orders', 'invoices']],
  ])('%s by time, from its beginning and before its end', async (words, expected) => {
    const list = words.split(' ');
    const older = timestamp(hoursEarlier(words.startsWith('file') ? 7 : 5));
    expect(await ids(...list, '--since', older)).toEqual(expected);
    expect(await ids(...list, '--since', timestamp(hoursEarlier(4)))).toEqual(expected.slice(0, 1));
    expect(await ids(...list, '--until', timestamp(hoursEarlier(0)))).toEqual(expected.slice(1));
    expect(await ids(...list, '--until', older)).toEqual([]);
  });

  test.each(['--organisation small', '--client client_stopped', ''])(
    'upload list %s by time',
    async (filter) => {
      const list = ['upload', 'list', ...filter.split(' ').filter(Boolean)];
      const range = ['--since', timestamp(hoursEarlier(9002)), '--until', timestamp(hoursEarlier(9000))];
      expect(await ids(...list, ...range)).toEqual([uploadIdOf(9001), uploadIdOf(9002)]);
      expect(await ids(...list, '--until', timestamp(hoursEarlier(9002)))).toEqual([uploadIdOf(9003)]);
    },
  );

  test('a length of time is one before now', async () => {
    const { client_id } = (
      await run(
        'client',
        'create',
        '--organisation',
        'new',
        '--name',
        'n',
        '--scope',
        'volume:read',
        '--json',
      )
    ).json();
    expect(await ids('client', 'list', '--organisation', 'new', '--since', '2h')).toEqual([client_id]);
    expect(await ids('client', 'list', '--organisation', 'new', '--until', '2h')).toEqual([]);
  });

  test.each([
    ['client list --client unknown', 'There is no client "unknown".'],
    ['file list --file unknown', 'There is no file "unknown".'],
    ['upload list --file unknown', 'There is no file "unknown".'],
    ['upload list --client unknown', 'There is no client "unknown".'],
  ])('%s fails', async (words, reason) => {
    const failed = await run(...words.split(' '), '--json');
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: `error: ${reason}\n` });
  });
});

describe('a wrong value exits 2, says why and asks nothing of a deployment', () => {
  const everyList = ['client list', 'file list', 'upload list'];
  const wrongEverywhere: readonly (readonly [string, string])[] = [
    ['--limit 0', '"0" is not a limit: use a whole number from 1 to 999999999.'],
    ['--limit -1', '"-1" is not a limit'],
    ['--limit 1.5', '"1.5" is not a limit'],
    ['--limit ten', '"ten" is not a limit'],
    ['--limit 1e3', '"1e3" is not a limit'],
    ['--since yesterday', '"yesterday" is not a time for --since: use ISO 8601, such as 2026-01-31 or'],
    ['--until 2026-02-30', '"2026-02-30" is not a time for --until'],
    ['--since 2026-13-01', 'is not a time'],
    ['--since 2026-01-01T25:00', 'is not a time'],
    ['--since 2026-01-01T00:00:00+99:00', 'is not a time'],
    ['--since 7w', 'is not a time'],
    ['--since 999999999d', 'is not a time'],
    [
      '--since 2026-01-02 --until 2026-01-01',
      '--since must be before --until: 2026-01-02T00:00:00.000Z is not',
    ],
    ['--since 2026-01-01 --until 2026-01-01', '--since must be before --until'],
    ['--organisation a/b', '"a/b" is not an organisation id'],
    ['--status lost', 'Allowed choices are'],
    ['--json --csv', 'Choose one form of the result: --json or --csv, not both.'],
  ];
  test.each(
    everyList.flatMap((list) =>
      wrongEverywhere.map(([words, reason]) => [`${list} ${words}`, reason] as const),
    ),
  )('%s', refused);

  test.each([
    [
      'client list --file orders',
      'A client has no file, so client list has no --file. It takes --client, --organisation, --status, --since, --until and --limit.',
    ],
    [
      'file list --client c',
      'A file has no client, so file list has no --client. It takes --file, --organisation, --status, --since, --until and --limit.',
    ],
    ['client list --client a/b', '"a/b" is not a client id'],
    ['file list --file a/b', '"a/b" is not a file id'],
    ['upload list --file a/b', '"a/b" is not a file id'],
    ['upload list --client a/b', '"a/b" is not a client id'],
    ['upload list --state lost', 'issued, completed, cancelled, expired'],
    ['upload list --state issued --status issued', '--state and --status are the same: give one of them.'],
    ['upload list --file f --organisation o', 'give either --file ID or --organisation ID.'],
  ])('%s', refused);

  async function refused(words: string, reason: string): Promise<void> {
    const shown = await admin(undefined, ['--local', ...words.split(' ')]);
    expect(shown).toMatchObject({ code: 2, opened: [], stdout: '', stderr: expect.stringContaining(reason) });
  }
});
