import { timestamp } from '../../../../storage/attributes.ts';
import { clientSource } from '../../../../tools/operator/clients/client.ts';
import { readPage } from '../../../../tools/operator/lists/read.ts';
import { startAws } from '../../../support/aws.ts';
import { type AdminRun, admin, failure, rejection } from '../../../support/run-admin.ts';
import { idsWith, manyListed, nouns } from '../../operator/lists/many-listed.ts';
import { clientItem, fileItem, hoursEarlier, uploadIdOf, uploadItem } from '../items.ts';

const small = { organisation_id: 'small' };
const gone = { organisation_id: 'gone', deleted_at: timestamp(hoursEarlier(1)) };
const own = { ...small, file_id: 'invoices', client_id: 'client_stopped' };
const cancelled_at = timestamp(hoursEarlier(9000));

const many = 200;
const aws = await startAws({
  clients: [
    ...manyListed.clients,
    clientItem('client_nightly', 1000, { ...small, name: 'Nightly of Small' }),
    clientItem('client_stopped', 1005, { ...small, status: 'revoked' }),
    clientItem('client_gone', 1009, { ...gone, status: 'revoked' }),
  ],
  files: [
    ...manyListed.files,
    fileItem('orders', 1000, small),
    fileItem('invoices', 1007, small),
    fileItem('gone', 1010, gone),
  ],
  uploads: [
    ...manyListed.uploads,
    uploadItem(9000, { ...own, request_id: 'request-9=' }),
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

test.for(nouns)('%s list reads no more than its limit needs', async (noun) => {
  expect(idsOf(await run(`${noun} list --limit 150`))).toEqual(idsWith(noun, []).slice(0, 150));
  expect(aws.calls.get('BatchGetItem')).toBe(2);
});

describe('a list in pages', () => {
  test('has everything once, in order, also when time is up after each part', async () => {
    const listed: string[] = [];
    let after: string | undefined;
    do {
      const page = await readPage(aws.deployment, clientSource(aws.deployment, {}), {
        after,
        limit: 70,
        isTimeUp: () => true,
      });
      listed.push(...page.entries.map(({ client_id }) => client_id));
      after = page.next;
    } while (after !== undefined);
    expect(listed.slice(0, many)).toEqual(idsWith('client', []));
  });
});

describe('the number of entries', () => {
  test('is 100 on a terminal, with the command that shows more', async () => {
    const shown = await onTerminal('upload list --file file_1 --status=completed');
    expect(shown.stdout.trimEnd().split('\n')).toHaveLength(101);
    expect(shown.stderr).toBe('The first 100 uploads. To see more, add --limit 1000.\n');
  });

  test('is all in a pipe and as JSON and CSV, unless there is a limit', async () => {
    const all = many + 3;
    expect((await run('upload list', '')).stderr).toBe(`${all} uploads\n`);
    expect((await onTerminal('upload list --csv')).stdout.trimEnd().split('\r\n')).toHaveLength(all + 1);
    expect(dataOf(await onTerminal('upload list --json'))).toHaveLength(all);
  });
});

describe('filters', () => {
  test.for([
    ['client list --status deleted', ['client_gone']],
    ['client list --organisation gone', []],
    ['client list --name of.small', []],
    ['client list --name STOPPED', ['client_stopped']],
    ['file list --organisation gone', []],
    ['file list --status deleted', ['gone']],
    ['file list --name INVOICES.c', ['invoices']],
    ['upload list --organisation small --status expired', [uploadIdOf(9002)]],
    ['upload list --request request-9', [uploadIdOf(9000)]],
  ] as const)('%s', async ([words, expected]) => {
    expect(idsOf(await run(words))).toEqual(expected);
  });

  test.for(['file', 'client'])('name an unknown %s', async (noun) => {
    expect(await run(`upload list --${noun} unknown`)).toMatchObject(
      failure(`error: There is no ${noun} "unknown".`),
    );
  });
});

test.for([
  ['upload list --limit 0', '"0" is not a limit'],
  ['client list --since yesterday', '"yesterday" is not a time for --since'],
  ['client list --status lost', 'Allowed choices are'],
  ['client list --json --csv', 'Choose one format: --json or --csv, not both.'],
  ['client list --file orders', "unknown option '--file'"],
] as const)('a wrong value exits 2 without a call of AWS: %s', async ([words, reason]) => {
  expect(await admin(undefined, ['--local', ...words.split(' ')])).toMatchObject(rejection(reason));
});
