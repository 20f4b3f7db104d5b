import { addSecret } from '../../../tools/operator/clients/client.ts';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { everyAction } from '../operator/support/every-action.ts';
import { find, missingIn, parse } from './support/read-page.ts';
import { seedClient, seedFile, seedSigningKeys } from './support/seed.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter, tokenOf } from './support/visitor.ts';

const console = await startConsoleWithAws();
const { aws } = console;
await seedSigningKeys(aws);
const at = new Date().toISOString();
const revocation = {
  kid: 'current-kid',
  signing_kid: 'next-kid',
  revoked_at: at,
  rejected_from: at,
  rejected_by_clients_from: at,
  tokens_until: at,
};
const report = { recorded: 3, expired: 2, deleted: 1, done: 0, failed: 0, unfinished: false, announced: 1 };
const responses = {
  'signing-keys': [revocation],
  'reconcile-uploads': report,
};

/** Callers named in the invocations and in the writes to the tables. */
const changers = new Set<unknown>();
for (const [name, response] of Object.entries(responses)) {
  aws.functions.set(name, (payload) => {
    changers.add(Object(payload).operator);
    return response;
  });
}
(await dynamoDBClient(aws.deployment)).middlewareStack.add(
  (next, { commandName = '' }) =>
    (call) => {
      if (/^(Put|Update)Item/.test(commandName)) {
        changers.add(/updated_by":{"S":"([^"]+)/.exec(JSON.stringify(call.input))?.[1]);
      }
      return next(call);
    },
  { step: 'initialize' },
);

const newClient = async () => (await seedClient(aws.deployment)).client_id;

/** Address of a form, the answers to its questions, and a part of the page that the console then shows. */
type Case = readonly [address: string, answers: Readonly<Record<string, string>>, says: string];

describe('the form of an action', () => {
  test.for<readonly [string, () => Promise<Case>]>([
    [
      'changes the scopes of a client',
      async () => [
        `/clients/${await newClient()}/set-scopes`,
        { scope: 'sync:create' },
        'The scopes are now sync:create.',
      ],
    ],
    [
      'changes the addresses of a client',
      async () => [
        `/clients/${await newClient()}/set-addresses`,
        { allowFrom: '203.0.113.0/24, 192.0.2.1' },
        'The client may send requests from 203.0.113.0/24, 192.0.2.1/32, from its next token on.',
      ],
    ],
    [
      'watches a file',
      async () => {
        const { file_id: id } = await seedFile(aws.deployment, 'watched');
        const answers = { every: '24h', grace: '2h' };
        return [`/files/${id}/set-expected`, answers, 'Content is expected every 1d, at most 2h late'];
      },
    ],
    [
      'removes the chosen secret of a client',
      async () => {
        const { client_id: id, secret_id: secretId } = await seedClient(aws.deployment);
        await addSecret(aws.deployment, id);
        return [`/clients/${id}/remove-secret`, { secretId }, `The secret ${secretId} was removed: `];
      },
    ],
    [
      'reconciles uploads, which takes long',
      async () => [
        '/uploads/+reconcile',
        {},
        '3 uploads recorded, 2 found unused, replaced content of 1 deleted.',
      ],
    ],
    [
      'deletes an organisation whose id is typed',
      async () => {
        await seedFile(aws.deployment, 'orders', { organisationId: 'umbrella' });
        return ['/organisations/umbrella/delete', { typed: 'umbrella' }, '0 clients and 1 file were deleted'];
      },
    ],
    [
      'revokes the selected clients',
      async () => {
        const [id, other] = [await newClient(), await newClient()];
        return [`/clients/${id},${other}/revoke`, {}, `"${other}": This client gets no new tokens.`];
      },
    ],
    ['revokes a key', async () => ['/signing-keys/current-kid/revoke', {}, 'The key was revoked.']],
  ])('%s, and changes nothing before it is sent', async ([, arrange]) => {
    const [address, answers, says] = await arrange();
    const visitor = await enter(console);
    changers.clear();
    await visitor.get(address);
    expect([...changers]).toEqual([]);
    expect(missingIn(await visitor.act(address, address, answers), [says])).toEqual([]);
    expect([...changers]).toEqual(['arn:aws:iam::000000000000:user/operator']);
  });

  test('calls STS only once for all of them', () => {
    expect(console.aws.calls.get('GetCallerIdentity')).toBe(1);
  });
});

describe('a form that is sent', () => {
  const form = '/files/+create';
  const fields = { organisation: 'acme', name: 'Orders' };

  test('can be sent again when AWS rejected it', async () => {
    const visitor = await enter(console);
    const token = tokenOf((await visitor.get(form)).text, form);
    const send = () => visitor.post(form, String(new URLSearchParams({ token, ...fields })));
    aws.deny(/^dynamodb:PutItem$/, 0, 1);
    const rejected = await send();
    expect([rejected.status, rejected.text]).toEqual([422, expect.stringContaining('dynamodb:PutItem')]);
    expect((await send()).status).toBe(303);
  });

  test('shows why long work failed', async () => {
    aws.functions.set('reconcile-uploads', () => ({ ...report, failed: 1 }));
    const told = await (await enter(console)).act('/uploads/+reconcile', '/uploads/+reconcile');
    const [alert] = find(parse(told), 'css=form [role="alert"].note.bad');
    expect(alert?.textContent).toContain('1 upload could not be checked');
  });
});

test.for(everyAction.filter(({ hasEntity }) => hasEntity))(
  'the form of $noun $verb for an unknown id is not found',
  async ({ noun, verb }) => {
    const { status } = await (await enter(console)).get(`/${noun}s/unknown/${verb}`);
    expect(status).toBe(404);
  },
);
