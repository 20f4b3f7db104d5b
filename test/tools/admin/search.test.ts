import { createClient } from '../../../tools/operator/clients/client.ts';
import { startAws } from '../../support/aws.ts';
import { adminOf } from '../../support/run-admin.ts';
import { clientItem, fileItem, organisationItem, uploadIdOf, uploadItem } from './items.ts';

/** Number of items: more than one read returns. */
const many = 130;
/** Well-formed key id. */

const numbers = Array.from({ length: many }, (_, index) => index);
const closed_at = '2026-03-01T00:00:00.000Z';
const aws = await startAws({
  organisations: [
    organisationItem('umbrella', 500),
    organisationItem('orders', 501),
    organisationItem('gone', 502, { deleted_at: closed_at, closed_at }),
    organisationItem('begun', 503, { deleted_at: closed_at }),
  ],
  clients: numbers.map((number) => clientItem(`client_${number}`, number)),
  uploads: numbers.map((number) => uploadItem(number)),
});
// `orders` is the id of an organisation and of a file, and part of the name of another file.
await aws.putItem('clients', clientItem('client_x', 500, { organisation_id: 'orders', name: 'Export' }));
await aws.putItem('files', fileItem('orders', 500, { organisation_id: 'umbrella', name: 'all.csv' }));
await aws.putItem('files', fileItem('file_y', 501, { organisation_id: 'umbrella', name: 'Orders.csv' }));
const gone = { organisation_id: 'gone', deleted_at: '2026-01-01T00:00:00.000Z' };
await aws.putItem('files', fileItem('removed', 502, gone));
const { client_id: clientId, secret_id: secretId } = await createClient(aws.deployment, {
  organisationId: 'secret',
  name: 'Kept',
  scopes: ['volume:read'],
});
beforeEach(() => aws.calls.clear());

const run = adminOf(aws.deployment);

const hits = async (text: string) =>
  ((await run(`search ${text} --json`)).json().data as { kind: string; id: string }[]).map(
    ({ kind, id }) => `${kind} ${id}`,
  );

const callsInAll = () => [...aws.calls.values()].reduce((sum, calls) => sum + calls, 0);

describe('search by an id reads no list, and finds', () => {
  const upload = uploadIdOf(7);
  test.for<readonly [string, text: string, found: readonly string[]]>([
    ['a client', 'client_129', ['client client_129']],
    ['a file', 'removed', ['file removed']],
    ['an upload', upload, [`upload ${upload}`]],
    ['an organisation', 'acme', ['organisation acme']],
    ['an organisation that is deleted', 'gone', ['organisation gone']],
    ['everything that has the id', 'orders', ['file orders', 'organisation orders']],
  ])('%s', async ([, text, found]) => {
    expect(await hits(text)).toEqual(found);
    expect(aws.calls.get('Scan')).toBeUndefined();
    expect(callsInAll()).toBeLessThan(10);
  });
});

describe('search, when nothing has the id, finds', () => {
  test('uploads by the start of their id, without reading the others', async () => {
    expect(await hits(uploadIdOf(9).slice(0, 8))).toEqual([`upload ${uploadIdOf(9)}`]);
    expect(aws.calls.get('BatchGetItem')).toBe(1);
  });

  test('the client of a secret by the id of the secret', async () => {
    expect(await hits(secretId)).toEqual([`client ${clientId}`]);
  });

  test('clients and files by a part of their name or id, in any case', async () => {
    expect(await hits('ORDERS')).toEqual(['file orders', 'file file_y']);
  });

  test('the newest of many names, and the command for the others', async () => {
    const more = await run('search nightly');
    expect(more.stdout.trimEnd().split('\n')).toHaveLength(51);
    expect(more.stderr).toContain('admin --local client list --name nightly\n');
  });

  test('nothing for an unknown name, after reading all names', async () => {
    expect(await run('search', 'no such name')).toMatchObject({ code: 0, stdout: '', stderr: 'No hits.\n' });
    expect(aws.calls.get('Scan')).toBe(8);
  });
});

test('search shows the name of a client, and the file of an upload', async () => {
  expect((await run('search client_x')).stdout).toMatch(/^client +client_x +Export$/m);
  const id = uploadIdOf(7);
  expect((await run(`search ${id} --json`)).json()).toEqual({
    data: [{ kind: 'upload', id, name: 'orders' }],
  });
});

test('search by an id offers no search by name', async () => {
  expect((await run('search orders')).stderr).toBe('2 hits\n');
});

test.for([
  ['a client secret', `fss_${'a'.repeat(43)}${'0'.repeat(6)}`],
  ['a signed URL', `https://bucket/uploads/${uploadIdOf(1)}?X-Amz-Signature=${'5'.repeat(64)}`],
] as const)('%s is not searched for, and not repeated', async ([, secret]) => {
  const rejected = await run(`search ${secret}`);
  expect(rejected).toMatchObject({ code: 2, stdout: '' });
  expect(rejected.stderr).not.toContain(secret.slice(-40));
});

test('organisation list counts existing items, and omits deleted ones', async () => {
  const { stdout } = await run('organisation list');
  const [, ...rows] = stdout
    .trimEnd()
    .split('\n')
    .map((row) => row.replace(/ +/g, ' '));
  expect(rows).toEqual([
    expect.stringMatching(/^secret 1 0 /),
    expect.stringMatching(/^umbrella 0 2 2026-02-08/),
    expect.stringMatching(/^orders 1 0 /),
    expect.stringMatching(/^begun 0 0 .*2026-03-01/),
    expect.stringMatching(/^acme 130 0 2026-01-01/),
  ]);
});

test('organisation list has a limit, but no CSV', async () => {
  const limited = await run('organisation list --limit 2');
  expect(limited.stdout.split('\n').map((row) => row.split(' ')[0])).toEqual([
    'ORGANISATION',
    'secret',
    'umbrella',
    '',
  ]);
  expect(limited.stderr).toContain('The first 2 organisations. To see more, add --limit 20.');
  expect((await run('organisation list --csv')).stderr).toContain("unknown option '--csv'");
});
