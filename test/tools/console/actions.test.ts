import { describe, expect, test } from 'vitest';
import { revokeClient } from '../../../tools/operator/clients/client.ts';
import { addSecret } from '../../../tools/operator/clients/secrets.ts';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { type Noun, nouns, type Verb } from '../../../tools/operator/description/noun.ts';
import { createFile } from '../../../tools/operator/files/file.ts';
import { find, missingIn, parse } from './support/read-page.ts';
import { seedClient, seedSigningKeys } from './support/seed.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter, tokenOf } from './support/visitor.ts';

const console = await startConsoleWithAws();
const { aws } = console;
await seedSigningKeys(aws);
await aws.scheduleRotation();
const at = new Date().toISOString();
const revocation = { kid: 'current-kid', signing_kid: 'next-kid', revoked_at: at };
const ends = { rejected_from: at, rejected_by_clients_from: at, tokens_until: at };
const report = { recorded: 3, expired: 2, deleted: 1, done: 0, failed: 0, unfinished: false, announced: 1 };
const answers = {
  'signing-keys': [
    { ...revocation, ...ends },
    { ...revocation, ...ends, kid: 'next-kid' },
  ],
  'reconcile-uploads': report,
  'record-upload': null,
};

/** Callers named in the invocations and in the writes to the tables. */
const changers = new Set<unknown>();
for (const [name, response] of Object.entries(answers)) {
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

const newClient = async () => (await seedClient(console.aws.deployment)).client_id;
let files = 0;
const newFile = async (syncEnabled = true, organisationId = 'acme') => {
  files += 1;
  const file = { organisationId, name: 'Orders', syncEnabled, fileId: `file-${files}` };
  return (await createFile(console.aws.deployment, file)).file_id;
};

/** Values for an action, and the sentence that the console then shows. */
interface Case {
  /** Id of the entity. */
  readonly id?: string;
  /** Values in the form of the action. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly says: string;
}

/** Cases of all actions. A missing verb is a type error. */
const cases: { readonly [Of in Noun]: Readonly<Record<Verb<Of>, () => Promise<Case>>> } = {
  client: {
    create: async () => ({
      answers: { organisation: 'acme', name: 'Nightly export', scope: 'volume:read' },
      says: 'Save the client secret now.',
    }),
    rename: async () => ({
      id: await newClient(),
      answers: { name: 'Hourly export' },
      says: 'role=heading[name="Hourly export"]',
    }),
    'set-scopes': async () => ({
      id: await newClient(),
      answers: { scope: 'sync:create' },
      says: 'The scopes are now sync:create.',
    }),
    'add-secret': async () => ({ id: await newClient(), says: 'Save the client secret now.' }),
    'rotate-secret': async () => ({
      id: await newClient(),
      answers: { grace: '1h' },
      says: 'If the old secret has leaked',
    }),
    'remove-secret': async () => {
      const { client_id: id, secret_id: secretId } = await seedClient(console.aws.deployment);
      await addSecret(console.aws.deployment, id);
      return { id, answers: { secretId }, says: `The secret ${secretId} was removed.` };
    },
    revoke: async () => ({ id: await newClient(), says: 'This client gets no new tokens.' }),
    reinstate: async () => {
      const id = await newClient();
      await revokeClient(console.aws.deployment, id);
      return { id, says: 'This client can get tokens again.' };
    },
    delete: async () => ({ id: await newClient(), says: 'The client was deleted.' }),
  },
  file: {
    create: async () => ({
      answers: { organisation: 'acme', name: 'Orders', id: 'orders', syncEnabled: 'true' },
      says: 'was created.',
    }),
    rename: async () => ({
      id: await newFile(),
      answers: { name: 'Prices' },
      says: 'role=heading[name="Prices"]',
    }),
    'enable-sync': async () => ({
      id: await newFile(false),
      says: 'Clients can request upload URLs for this file.',
    }),
    'disable-sync': async () => ({ id: await newFile(), says: 'Clients get no upload URL for this file' }),
    delete: async () => ({ id: await newFile(), says: 'The file was deleted, with 0 uploads.' }),
  },
  upload: {
    cancel: async () => ({
      id: await seedUpload(console.aws, { fileId: 'orders' }),
      says: 'The upload URL was cancelled.',
    }),
    announce: async () => {
      const id = await seedUpload(console.aws, { fileId: 'orders', state: 'cancelled' });
      return { answers: { upload: id }, says: '1 event sent again.' };
    },
    reconcile: async () => ({
      says: '3 uploads recorded, 2 found unused, replaced content of 1 deleted, in 1 run.',
    }),
    replay: async () => {
      await console.aws.sendLetter('{}');
      return { says: '1 event replayed, 0 failed.' };
    },
  },
  organisation: {
    delete: async () => {
      await newFile(true, 'umbrella');
      return { id: 'umbrella', answers: { typed: 'umbrella' }, says: '0 clients and 1 file were deleted' };
    },
  },
  request: {},
  'signing-key': {
    rotate: async () => ({ says: 'The signing key was rotated.' }),
    revoke: async () => ({ id: 'current-kid', says: 'The key was revoked.' }),
    'revoke-all': async () => ({ says: '2 signing keys revoked.' }),
  },
};

const everyCase = Object.entries(cases).flatMap(([noun, verbs]) =>
  Object.entries(verbs).map(([verb, arrange]) => ({ noun: noun as Noun, verb, arrange })),
);

describe('the form of an action', () => {
  test.for(everyCase)(
    'does it, and nothing before it is sent: $noun $verb',
    async ({ noun, verb, arrange }) => {
      const { id, answers, says } = await arrange();
      const address = `/${nouns[noun].plural}/${id === undefined ? `+${verb}` : `${id}/${verb}`}`;
      const visitor = await enter(console);
      changers.clear();
      await visitor.get(address);
      expect([...changers]).toEqual([]);
      expect(missingIn(await visitor.act(address, address, answers), [says])).toEqual([]);
      // A rotation calls Secrets Manager, and CloudTrail logs the call.
      expect([...changers]).toEqual(verb === 'rotate' ? [] : ['arn:aws:iam::000000000000:user/operator']);
    },
  );

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
    const page = parse(told);
    expect(find(page, 'role=heading[name="Check due uploads now"]')).toHaveLength(1);
    expect(find(page, 'role=link[name="Go back"][href="/uploads"]')).toHaveLength(1);
    const [alert] = find(page, 'css=main > .stack [role="alert"].note.bad');
    expect(alert?.textContent).toContain('1 upload could not be checked');
  });
});
