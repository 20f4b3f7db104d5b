import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import fc from 'fast-check';
import { digestClientSecret } from '../../../storage/client-secret.ts';
import { clientIdOf } from '../../../tools/operator/apply/kinds.ts';
import { applyChanges, type Change, planChanges } from '../../../tools/operator/apply/plan.ts';
import { parseState } from '../../../tools/operator/apply/state.ts';
import { secretsManagerClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { readItem } from '../../../tools/operator/deployment/items.ts';
import { durationText } from '../../../tools/operator/parse-input.ts';
import { type Aws, startAws } from '../../support/aws.ts';
import { adminOf, failure, rejection } from '../../support/run-admin.ts';

let aws: Aws;
let run: ReturnType<typeof adminOf>;

beforeEach(async () => {
  aws = await startAws();
  run = adminOf(aws.deployment);
});

const folder = await temporaryFolder();
const path = join(folder, 'state.json');

/** Runs `apply` with a state that contains these organisations. */
function apply(organisations: object, flags = '') {
  writeFileSync(path, JSON.stringify({ organisations }));
  return run(`apply ${path}${flags}`);
}

type Entries = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Returns all clients and files of an organisation, with the attributes of a state. */
async function stored(organisation = 'acme'): Promise<Entries> {
  const list = async (noun: string) =>
    (await run(`${noun} list --organisation ${organisation} --json`)).json().data as Readonly<
      Record<string, string>
    >[];
  const rows = [...(await list('client')), ...(await list('file'))];
  return Object.fromEntries(
    rows.map(({ client_id, file_id, name, scopes, allow_from, sync_enabled, expected }) => [
      client_id ?? file_id,
      inState({ name, scopes, allow_from, sync_enabled, expected }),
    ]),
  );
}

/** Converts stored attributes to the form of a state file. */
function inState({ expected, ...others }: Readonly<Record<string, unknown>>) {
  const { every_seconds: every, grace_seconds: grace } = Object(expected);
  const texts = { every: durationText(every), grace: durationText(grace) };
  return { ...others, expected: every === undefined ? expected : texts };
}

/** State in docs/operations.md. */
const [example = ''] = /\{\n {2}"\$schema".*?\n\}/s.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
const {
  clients: { nightly },
  files: { orders },
} = JSON.parse(example).organisations.acme;
const invoices = { name: 'Invoices', sync_enabled: false };
const acme = { clients: { nightly }, files: { orders, invoices } };
const id = clientIdOf('acme', 'nightly');

test('the state on the page is applied', async () => {
  writeFileSync(path, example);
  expect((await run(`apply ${path}`)).stderr).toContain('2 changes applied.');
  expect(await stored()).toEqual({ [id]: nightly, orders });
});

test('apply creates missing clients and files, and a repeat changes nothing', async () => {
  const { stdout, stderr } = await apply({ acme, empty: {} });
  expect(stdout).toContain(`create client ${id} in acme ${JSON.stringify(nightly)}\ncreate file invoices in`);
  expect(stderr).toContain('3 changes applied.');
  expect(await stored()).toEqual({ [id]: nightly, orders, invoices });
  aws.calls.clear();
  expect(await apply({ acme })).toMatchObject({ code: 0, stdout: '', stderr: '0 changes applied.\n' });
  expect([...aws.calls.keys()]).toEqual(['GetItem']);
});

test('clients of one name in two organisations are two clients', async () => {
  await apply({ acme: { clients: { nightly } }, globex: { clients: { nightly } } });
  expect([await stored(), await stored('globex')]).toEqual([
    { [id]: nightly },
    { [clientIdOf('globex', 'nightly')]: nightly },
  ]);
});

test('apply updates attributes that differ, and no others', async () => {
  await apply({ acme });
  const { allow_from: _, ...anywhere } = nightly;
  const changed = { ...orders, sync_enabled: false };
  expect((await apply({ acme: { clients: { nightly: anywhere }, files: { orders: changed } } })).stdout).toBe(
    `update client ${id} in acme {"allow_from":{"from":["203.0.113.0/24"]}}\n` +
      'update file orders in acme {"sync_enabled":{"from":true,"to":false}}\n',
  );
  expect(await stored()).toEqual({ [id]: anywhere, orders: changed, invoices });
});

test('a watched file that is enabled starts a new period', async () => {
  await apply({ acme: { files: { orders: { ...orders, sync_enabled: false } } } });
  const before = await readItem(aws.deployment, 'file', 'orders');
  await apply({ acme: { files: { orders } } });
  const after = await readItem(aws.deployment, 'file', 'orders');
  expect(String(after?.expected_by?.S) > String(before?.expected_by?.S)).toBe(true);
});

test('--plan shows the changes, and changes nothing', async () => {
  expect((await apply({ acme }, ' --plan --json')).json()).toMatchObject({
    data: [{ change: 'create', noun: 'client', id, organisation: 'acme', values: nightly }, {}, {}],
    secrets: {},
  });
  expect((await apply({ acme }, ' --plan')).stderr).toBe('3 changes planned. Nothing was changed.\n');
  expect(await stored()).toEqual({});
});

test('--prune deletes clients and files that are not in the state, in its organisations only', async () => {
  await apply({ acme, globex: { files: { prices: orders } } });
  const left = { acme: { files: { orders } } };
  const pruned = `delete client ${id} in acme\ndelete file invoices in acme\n`;
  expect((await apply(left)).stdout).toBe('');
  expect((await apply(left, ' --prune --plan')).stdout).toBe(pruned);
  const person = adminOf(aws.deployment, { keys: 'n\r' });
  expect(await person(`apply ${path} --prune`)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/1 secret and .*\n.*0 uploads.*\n2 deletions\. .*\nerror: Nothing was/s),
  });
  expect(await stored()).toHaveProperty('invoices');
  expect((await apply(left, ' --prune --yes')).stdout).toBe(pruned);
  expect([await stored(), await stored('globex')]).toEqual([{ orders }, { prices: orders }]);
});

test.for<[string, object, string, number]>([
  ['a file of another organisation', { acme: { files: { prices: orders } } }, 'not to "acme"', 1],
  [
    'one file twice',
    { acme, other: { files: { orders } } },
    'The state contains the file "orders" twice.',
    2,
  ],
  ['one client twice', { acme: { clients: { nightly, [id]: nightly } } }, `client "${id}" twice.`, 2],
  ['a deleted file', { globex: { files: { old: orders } } }, 'admin --local file undelete old', 1],
  ['IPv6', { acme: { clients: { a: { ...nightly, allow_from: ['2001:db8::/32'] } } } }, 'has no IPv6', 1],
])('%s is rejected before any change', async ([, organisations, reason, code]) => {
  await apply({ globex: { files: { prices: orders, old: orders } } });
  await run('file delete old --yes');
  aws.calls.clear();
  expect(await apply(organisations)).toMatchObject(failure(reason, code));
  expect(aws.calls.has('PutItem')).toBe(false);
});

test('a state may begin with a byte order mark, and must be in UTF-8', async () => {
  writeFileSync(path, `\ufeff${example}`);
  expect((await run(`apply ${path} --plan`)).stderr).toContain('2 changes planned.');
  writeFileSync(path, example.replace('Nightly', 'Caf\u00e9'), 'latin1');
  expect(await run(`apply ${path}`)).toMatchObject(rejection('not valid for encoding utf-8'));
});

test('a folder is rejected before a deployment is opened', async () => {
  expect(await run(`apply ${folder}`)).toMatchObject(rejection('illegal operation on a directory'));
});

const contextOf = () => ({
  deployment: aws.deployment,
  sleep: async () => undefined,
  progress: () => undefined,
  note: () => undefined,
});
const plan = (text: string) => planChanges(contextOf(), parseState(text), true);
const change = (changes: readonly Change[], kept: string[] = []) =>
  applyChanges(changes, async (clientId, secret) => {
    kept.push(clientId);
    return secret;
  });

test('changes between the plan and the apply are rejected', async () => {
  await apply({ acme: { files: acme.files } });
  const wanted = { clients: { nightly }, files: { orders: { ...orders, name: 'Orders' } } };
  const changes = await plan(JSON.stringify({ organisations: { acme: wanted } }));
  await run('file disable-sync orders');
  await run('file rename invoices --name other');
  await apply({ acme: { clients: { nightly } } });
  const before = await stored();
  const kept: string[] = [];
  const after = 'was changed after the plan. Run the command again.';
  expect((await change(changes, kept)).toSorted()).toEqual([
    `create client "${id}" failed: The client "${id}" ${after}`,
    `delete file "invoices" failed: The file "invoices" ${after}`,
    `update file "orders" failed: The file "orders" ${after}`,
  ]);
  expect([kept, await stored()]).toEqual([[], before]);
});

test('a repeat completes failed changes', async () => {
  await apply({ acme: { clients: { nightly } } });
  aws.deny(/PutItem/, 1, 2);
  expect(await apply({ acme })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/create file .* failed: .*PutItem.*\n1 of 2 changes failed\. Correct/),
  });
  expect((await apply({ acme })).stderr).toBe('1 change applied.\n');
  aws.deny(/UpdateItem/, 1);
  const left = { acme: { clients: { nightly }, files: { orders } } };
  expect((await apply(left, ' --prune --yes')).code).toBe(1);
  const invoice = () => readItem(aws.deployment, 'file', 'invoices');
  expect(await invoice()).not.toHaveProperty('delete_after');
  aws.deny(/^$/);
  await apply(left, ' --prune --yes');
  expect(await invoice()).toHaveProperty('delete_after');
});

test('a suspended organisation stays suspended, and a revoked client revoked', async () => {
  await apply({ acme: { clients: { nightly } } });
  await run(`client revoke ${id}`);
  await run('organisation suspend acme --yes');
  await apply({ acme: { clients: { nightly: { ...nightly, name: 'N' } }, files: { orders } } });
  const client = await readItem(aws.deployment, 'client', id);
  expect(client).toMatchObject({ name: { S: 'N' }, status: { S: 'revoked' } });
  expect(await readItem(aws.deployment, 'file', 'orders')).toHaveProperty('suspended_at');
});

/** Requires that the secret works. */
async function expectSecret(secret = '') {
  const item = await readItem(aws.deployment, 'client', id);
  expect(item?.secrets?.L?.[0]?.M?.sha256?.S).toBe(digestClientSecret(secret).toString('hex'));
}

test.for([
  ['', /FILE_SYNC_CLIENT_SECRET=(\S+)/],
  [' --json', /"secrets":\{"\w+":"([^"]+)"/],
] as const)('apply%s shows the secret of a new client once', async ([flags, pattern]) => {
  const { stdout, stderr } = await apply({ acme }, flags);
  await expectSecret(pattern.exec(stdout)?.[1]);
  expect(stderr).toContain('Save the client secrets now.');
  expect(JSON.stringify([stderr, await apply({ acme }, flags)])).not.toContain('fss_');
});

describe('--secrets-to', () => {
  const name = `file-sync/${id}`;
  const kept = async () => {
    const secrets = await secretsManagerClient(aws.deployment);
    return (await secrets.getSecretValue({ SecretId: name })).SecretString ?? '';
  };

  test('stores a secret before its client exists, and shows none', async () => {
    aws.deny(/PutItem/);
    await apply({ acme }, ' --secrets-to file-sync/');
    const unused = await kept();
    aws.deny(/^$/);
    const repeated = await apply({ acme }, ' --secrets-to file-sync/ --json');
    expect(JSON.stringify(repeated)).not.toContain('fss_');
    expect(await kept()).toBe(unused);
    await expectSecret(JSON.parse(unused).FILE_SYNC_CLIENT_SECRET);
  });

  test('stores the secret of the client, although two run at the same time', async () => {
    writeFileSync(path, JSON.stringify({ organisations: { acme } }));
    const command = `apply ${path} --secrets-to file-sync/`;
    await Promise.all([run(command), run(command)]);
    await expectSecret(JSON.parse(await kept()).FILE_SYNC_CLIENT_SECRET);
  });

  test('replaces no secret of another stack', async () => {
    const text = JSON.stringify({ FILE_SYNC_BASE_URL: 'https://other.example', FILE_SYNC_CLIENT_ID: id });
    await (await secretsManagerClient(aws.deployment)).createSecret({ Name: name, SecretString: text });
    expect((await apply({ acme }, ' --secrets-to file-sync/')).stderr).toContain(
      `create client "${id}" failed: The secret ${name} in Secrets Manager belongs to another`,
    );
    expect([await kept(), await readItem(aws.deployment, 'client', id)]).toEqual([text, undefined]);
  });
});

const randomMembers = <Value>(value: fc.Arbitrary<Value>) =>
  fc.dictionary(fc.constantFrom('ROUND-a', 'ROUND-b', 'ROUND-c'), value, { maxKeys: 3 });
const randomClient = fc.record({
  name: fc.constantFrom('Nightly', 'Hourly'),
  scopes: fc.constantFrom(['volume:read'], ['volume:read', 'sync:create']),
  allow_from: fc.constantFrom(undefined, ['203.0.113.0/24'], ['198.51.100.7/32', '203.0.113.0/24']),
});
const randomFile = fc.record({
  name: fc.constantFrom('orders', 'stock'),
  sync_enabled: fc.boolean(),
  expected: fc.constantFrom(undefined, { every: '1d', grace: '2h' }, { every: '36h', grace: '0s' }),
});
const randomState = fc
  .record({ clients: randomMembers(randomClient), files: randomMembers(randomFile) })
  .map((organisation) => JSON.stringify({ organisations: { ROUND: organisation } }));

test('apply makes exactly the changes of its plan, for random states', async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(randomState, randomState, async (first, second) => {
      round += 1;
      const organisation = String(round);
      const target = second.replaceAll('ROUND', organisation);
      expect(await change(await plan(first.replaceAll('ROUND', organisation)))).toEqual([]);
      const before = await stored(organisation);
      const changes = await plan(target);
      expect(await change(changes)).toEqual([]);
      const after = await stored(organisation);
      const effects = changes.map(({ change, id, values }) => [
        id,
        change === 'update'
          ? inState({ ...before[id], ...newValues(values) })
          : values && inState({ ...values }),
      ]);
      expect(after).toEqual({ ...before, ...Object.fromEntries(effects) });
      const { clients, files } = JSON.parse(target).organisations[organisation];
      const ids = Object.entries(clients).map(([key, to]) => [clientIdOf(organisation, key), to]);
      expect(after).toEqual({ ...Object.fromEntries(ids), ...files });
      expect(await plan(target)).toEqual([]);
    }),
    { numRuns: Number(process.env.APPLY_RUNS ?? 5) },
  );
});

const newValues = (values: object = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, { to }]) => [name, to]));
