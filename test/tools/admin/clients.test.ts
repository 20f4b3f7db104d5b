import { clientFromItem } from '../../../storage/client.ts';
import { digestClientSecret, isClientSecret } from '../../../storage/client-secret.ts';
import {
  addSecret,
  createClient,
  rotateSecret,
  setAddresses,
} from '../../../tools/operator/clients/client.ts';
import { getItem } from '../../../tools/operator/deployment/items.ts';
import { startAws } from '../../support/aws.ts';
import { admin, adminOf, failure } from '../../support/run-admin.ts';

let clientId: string;

const aws = await startAws();
beforeEach(async () => {
  const client = await createClient(aws.deployment, {
    organisationId: 'acme',
    name: 'Export',
    scopes: ['volume:read'],
  });
  clientId = client.client_id;
});

const run = adminOf(aws.deployment);
const stored = async (id = clientId) => clientFromItem(await getItem(aws.deployment, 'client', id));

describe('client create', () => {
  const create = ['client', 'create', '--organisation', 'acme', '--name', 'Nightly export'];

  test('prints the secret once, and stores only its digest', async () => {
    const scopes = ['--scope', 'sync:create', '--scope', 'volume:read', '--scope', 'sync:create'];
    const client = (await run(...create, ...scopes, '--json')).json();
    expect(client).toMatchObject({
      organisation_id: 'acme',
      name: 'Nightly export',
      scopes: ['volume:read', 'sync:create'],
      status: 'active',
    });
    const secret = String(client.client_secret);
    expect(isClientSecret(secret)).toBe(true);
    const item = await stored(String(client.client_id));
    expect(item.secrets).toMatchObject([
      { secret_id: client.secret_id, sha256: digestClientSecret(secret).toString('hex') },
    ]);
    expect(JSON.stringify(item)).not.toContain(secret);
  });

  test('prints the secret, and that it is shown only once', async () => {
    const shown = await run(...create, '--scope', 'volume:read');
    expect(shown.stdout).toMatch(/^Client secret +fss_\S{49}$/m);
    expect(shown.stdout).toMatch(
      /\n\nexport FILE_SYNC_BASE_URL=http\S+\nexport FILE_SYNC_CLIENT_ID=client_\w+\nexport FILE_SYNC_CLIENT_SECRET=fss_\S{49}\n$/,
    );
    expect(shown.stderr).toContain(
      'Save the client secret now. It cannot be shown again: only its digest is stored.\nTo upload, an application also needs the id of a file of its organisation, in FILE_SYNC_FILE_ID.\nNext steps:\n  admin --local client guide client_',
    );
  });
});

describe('addresses', () => {
  const set = (ranges: string) => run('client', 'set-addresses', clientId, '--allow-from', ranges);

  test('of a new client are ranges in one or several options', async () => {
    const create = [
      'client',
      'create',
      '--organisation',
      'acme',
      '--name',
      'Export',
      '--scope',
      'sync:create',
    ];
    const ranges = ['--allow-from', '203.0.113.0/24,198.51.100.7', '--allow-from', '192.0.2.1'];
    const { client_id: id } = (await run(...create, ...ranges, '--json')).json();
    expect((await run('client', 'show', String(id))).stdout).toMatch(
      /^Allowed from +203\.0\.113\.0\/24 198\.51\.100\.7\/32 192\.0\.2\.1\/32$/m,
    );
  });

  test('are replaced, and removed only on request, from the next token on', async () => {
    await set('203.0.113.0/24');
    expect((await set('192.0.2.1')).stderr).toContain('from 192.0.2.1/32, from its next token on. Tokens');
    expect(await run('client', 'set-addresses', clientId)).toMatchObject(
      failure("'--allow-from <range>'", 2),
    );
    expect((await stored()).allow_from).toEqual(['192.0.2.1/32']);
    expect((await set('any')).stderr).toContain('from every address, from its next token on.');
    expect(await stored()).not.toHaveProperty('allow_from');
  });

  test.for([
    ['', '"" is not a range of IP addresses', 2],
    ['any,192.0.2.1', '"any" is not a range of IP addresses', 2],
    ['0.0.0.0/0', '"0.0.0.0/0" contains every address: to allow every address, enter any.', 2],
    ['2001:db8::/48', 'This deployment has no IPv6, so no request can come from 2001:db8::/48.', 1],
  ] as const)('are not %j', async ([ranges, message, code]) => {
    expect(await set(ranges)).toMatchObject(failure(message, code));
    expect(await stored()).not.toHaveProperty('allow_from');
  });

  test.for([{ UploadHost: 'b.s3.dualstack.eu-central-1.amazonaws.com' }, { DomainTarget: 'd-1' }])(
    'may be of IPv6 with %j',
    async (ipv6) => {
      const outputs = { ...aws.deployment.outputs, ...ipv6 };
      await setAddresses({ ...aws.deployment, outputs }, clientId, ['2001:db8::/48']);
      expect((await stored()).allow_from).toEqual(['2001:db8::/48']);
    },
  );
});

test('a client is revoked, and another failure is named', async () => {
  const revoked = await run('client', 'revoke', 'nobody', clientId);
  expect(revoked).toMatchObject({ code: 1, stdout: '' });
  expect(revoked.stderr).toMatch(
    /^error: "nobody" failed: There is no client .*\n"client_\w+": This client gets no new tokens/,
  );
  expect(await stored()).toHaveProperty('revoked_at');
});

test.for(['show', 'list'])('client %s never prints a secret or its digest', async (verb) => {
  const [secret] = (await stored()).secrets;
  const { stdout } = await run(`client ${verb}`, ...(verb === 'show' ? [clientId] : []), '--json');
  expect(stdout).not.toContain(secret?.sha256);
  expect(stdout).toContain(secret?.secret_id);
});

test('revoke and reinstate change the status, and nothing the second time', async () => {
  const revoked = await run(`client revoke ${clientId} --json`);
  expect(revoked.json()).toMatchObject({ status: 'revoked', revoked_at: expect.stringMatching(/Z$/) });
  const again = await run(`client revoke ${clientId}`);
  expect(again).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('was already revoked. Nothing was changed.'),
  });
  expect((await run(`client reinstate ${clientId} --json`)).json()).toMatchObject({ status: 'active' });
  expect((await run(`client reinstate ${clientId}`)).stderr).toContain(
    'is not revoked. Nothing was changed.',
  );
});

describe('secrets', () => {
  test.for(['add-secret', 'rotate-secret'])('%s creates no third one', async (verb) => {
    await addSecret(aws.deployment, clientId);
    const before = await stored();
    const third = await run(`client ${verb} ${clientId}`);
    expect(third).toMatchObject(
      failure('Remove one of them first. If one has leaked, rotate with --grace 0s, which ends both.\n'),
    );
    expect(third.stderr).toContain(`\n  admin --local client rotate-secret ${clientId} --grace 0s\n`);
    expect(await stored()).toEqual(before);
  });

  test.for(['add-secret', 'rotate-secret'])('%s sets the end of the new one', async (verb) => {
    const { secrets } = (await run(`client ${verb} ${clientId} --ends 10d --json`)).json();
    expect(secrets).toMatchObject([{}, { ends_at: expect.any(String) }]);
  });

  test('remove-secret ends one, and never the last that works', async () => {
    const first = (await stored()).secrets[0]?.secret_id ?? '';
    const added = await addSecret(aws.deployment, clientId);
    const removed = await run(`client remove-secret ${clientId} --secret-id ${first} --yes --json`);
    expect(removed.json().secrets).toMatchObject([{ secret_id: added.secret_id }]);
    const last = await run(`client remove-secret ${clientId} --secret-id ${added.secret_id} --yes`);
    expect(last).toMatchObject(failure(`is the only secret that still works for "${clientId}".`));
    const unknown = await run(`client remove-secret ${clientId} --secret-id ${first} --yes`);
    expect(unknown).toMatchObject(failure(`has no secret "${first}".`));
    // Each error names the next command for the same deployment, ready to copy.
    expect(unknown.stderr).toMatch(new RegExp(`\\n  admin --local client show ${clientId}\\n$`));
    expect(last.stderr).toMatch(
      new RegExp(
        `Add another secret first, or revoke the client\\.\\n  admin --local client add-secret ${clientId}\\n  admin --local client revoke ${clientId}\\n$`,
      ),
    );
    expect((await stored()).secrets).toHaveLength(1);
  });

  test('rotate-secret prints the end of the old one, and no step that ends it now', async () => {
    const rotated = await run(`client rotate-secret ${clientId}`);
    const [old] = (await stored()).secrets;
    expect(rotated.stderr).toContain(
      `The old secret ${old?.secret_id} works until ${old?.ends_at}. If the old secret has leaked, remove it now.\nSave the client secret now.`,
    );
    expect(rotated.stderr).not.toContain('client remove-secret');
  });

  test('rotate-secret sets the end of the old one, and never a later one', async () => {
    const rotate = adminOf({ ...aws.deployment, now: () => Date.parse('2100-01-31T11:00:00Z') });
    const rotated = (await rotate(`client rotate-secret ${clientId} --grace 1h --json`)).json();
    await run(`client remove-secret ${clientId} --secret-id ${rotated.secret_id} --yes`);
    const [ending, ...others] = (await stored()).secrets;
    expect(others).toEqual([]);
    expect(ending?.ends_at).toBe('2100-01-31T12:00:00.000Z');
    expect(await rotate(`client rotate-secret ${clientId} --grace 7d`)).toMatchObject({ code: 0 });
    expect((await stored()).secrets[0]).toEqual(ending);
  });

  test('rotate-secret --grace 0s ends both: a leaked one must not outlive it', async () => {
    await run(`client rotate-secret ${clientId} --grace 7d`);
    expect((await stored()).secrets).toHaveLength(2);
    const response = await run(`client rotate-secret ${clientId} --grace 0s --json`);
    const rotated = response.json();
    expect(rotated.secrets).toMatchObject([{ secret_id: rotated.secret_id }]);
    expect(response.stderr).toContain('All older secrets of the client have ended.');
    expect((await stored()).secrets).toHaveLength(1);
  });

  test('a dead secret does not count and is dropped by the next change', async () => {
    await rotateSecret({ ...aws.deployment, now: () => Date.now() - 2_000 }, clientId, 1);
    const added = await addSecret(aws.deployment, clientId);
    expect(added.secrets).toHaveLength(2);
    expect(added.secrets.every(({ ends_at }) => ends_at === undefined)).toBe(true);
  });

  test('of two changes at the same time one is rejected', async () => {
    const outcomes = await Promise.allSettled([
      addSecret(aws.deployment, clientId),
      addSecret(aws.deployment, clientId),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await stored()).secrets).toHaveLength(2);
  });
});

test.for(['--local', '--local --state here', '--stack prod'])(
  'an unknown id leads on in the deployment that was typed: %s',
  async (flags) => {
    const { stderr } = await admin(aws.deployment, `${flags} client show nobody`.split(' '));
    expect(stderr).toContain(`\n  admin ${flags} search nobody\n`);
  },
);
