import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../../tools/operator/clients/client.ts';
import { type FakeAws, startFakeAws } from '../../support/fake-aws.ts';
import { writeItems } from '../../support/many-items.ts';
import { admin } from '../../support/run-admin.ts';
import { clientItem, fileItem, uploadIdOf, uploadItem } from './items.ts';

let aws: FakeAws;
let clientId: string;
let secretId: string;

/** More items than one read gives. */
const many = 130;

beforeAll(async () => {
  aws = await startFakeAws();
  const numbers = Array.from({ length: many }, (_, index) => index);
  const acme = { organisation_id: 'acme' };
  await writeItems(
    aws,
    'clients',
    numbers.map((number) => clientItem(`client_${number}`, number, acme)),
  );
  await writeItems(
    aws,
    'uploads',
    numbers.map((number) => uploadItem(number, { request_id: `request-${number}=` })),
  );
  // The same word is an id of one thing and a part of the name of another.
  await aws.putItem('clients', clientItem('client_x', 500, { organisation_id: 'orders', name: 'Export' }));
  await aws.putItem('files', fileItem('orders', 500, { organisation_id: 'umbrella', name: 'all.csv' }));
  await aws.putItem('files', fileItem('file_y', 501, { organisation_id: 'umbrella', name: 'Orders.csv' }));
  const gone = { organisation_id: 'gone', deleted_at: '2026-01-01T00:00:00.000Z' };
  await aws.putItem('files', fileItem('removed', 502, gone));
  const jwk = { kty: 'EC', crv: 'P-256', x: 'xx', y: 'yy', kid: 'the-kid', alg: 'ES256', use: 'sig' };
  const { client_id, secret_id } = await createClient(aws.deployment, {
    organisationId: 'secret',
    name: 'Kept',
    scopes: ['volume:read'],
  });
  [clientId, secretId] = [client_id, secret_id];
  aws.keySet = JSON.stringify({ keys: [{ jwk, state: 'current', since: '2026-01-02T00:00:00.000Z' }] });
});
afterAll(() => aws.stop());

const run = (...words: readonly string[]) => admin(aws.deployment, ['--local', ...words]);

const hits = async (text: string) =>
  ((await run('search', text, '--json')).json().data as { kind: string; id: string }[]).map(
    ({ kind, id }) => `${kind} ${id}`,
  );

test('search finds every kind by its id, uploads by their request and key, and several hits of one word', async () => {
  const expected: Readonly<Record<string, readonly string[]>> = {
    client_129: ['client client_129'],
    orders: ['file orders', 'organisation orders', 'file file_y'],
    ORDERS: ['file orders', 'file file_y'],
    acme: ['organisation acme'],
    removed: ['file removed'],
    gone: ['organisation gone'],
    'the-kid': ['signing key the-kid'],
    [uploadIdOf(7)]: [`upload ${uploadIdOf(7)}`],
    [`uploads/${uploadIdOf(8)}`]: [`upload ${uploadIdOf(8)}`],
    'request-129=': [`upload ${uploadIdOf(129)}`],
    'request-128': [`upload ${uploadIdOf(128)}`],
    [secretId]: [`client ${clientId}`],
    'request-200=': [],
  };
  const found: Record<string, unknown> = {};
  for (const text of Object.keys(expected)) {
    found[text] = await hits(text);
  }
  expect(found).toEqual(expected);
  const upload = await run('search', uploadIdOf(7));
  expect(upload.stdout).toMatch(/^upload +\S+ +all\.csv$/m);
});

test('search says where else a request can be looked for, and that more names match', async () => {
  const none = await run('search', 'request-200=');
  expect(none).toMatchObject({ code: 0, stdout: '' });
  expect(none.stderr).toContain('A request that got no upload URL is only in the logs.');
  const more = await run('search', 'nightly');
  expect(more.stdout.trimEnd().split('\n')).toHaveLength(21);
  expect(more.stderr).toContain('client list --name');
});

test('search keeps what it found when it may not look at everything', async () => {
  const { keySet } = aws;
  aws.keySet = '{';
  const found = await run('search', 'orders');
  aws.keySet = keySet;
  expect(found.stdout).toContain('file          orders');
  expect(found.stderr).toContain('The key set cannot be read');
});

test('a secret is not looked for, and not repeated', async () => {
  const secret = `fss_${'a'.repeat(43)}${'0'.repeat(6)}`;
  const refused = await run('search', secret);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).not.toContain(secret);
});

test('organisation list counts what is not deleted, up to a hundred', async () => {
  expect((await run('organisation', 'list')).stdout).toMatchInlineSnapshot(`
    "ORGANISATION       CLIENTS  FILES
    acme          at least 100      0
    orders                   1      0
    secret                   1      0
    umbrella                 0      2
    "
  `);
});

test('organisation show has its clients and files, and fails for one that has neither', async () => {
  const shown = (await run('organisation', 'show', 'acme', '--json')).json();
  expect(shown).toMatchObject({ organisation_id: 'acme', files: [] });
  expect(shown.clients).toHaveLength(many);
  const { stdout, stderr } = await run('organisation', 'show', 'umbrella');
  expect(stdout).toMatch(/^\nFILE ID[^\n]*\norders [^\n]*\nfile_y /);
  expect(stderr).toBe('No clients.\n2 files\n');
  expect((await run('organisation', 'show', 'nobody')).stderr).toBe(
    'error: There is no client and no file of organisation "nobody".\n',
  );
});
