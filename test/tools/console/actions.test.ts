import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listClients, revokeClient } from '../../../tools/operator/clients/client.ts';
import { addSecret } from '../../../tools/operator/clients/secrets.ts';
import { type Kind, readItem } from '../../../tools/operator/deployment/items.ts';
import { attributeOf } from '../../../tools/operator/description/field.ts';
import { type Noun, nouns, type Verb } from '../../../tools/operator/description/noun.ts';
import { createFile } from '../../../tools/operator/files/file.ts';
import { allOf } from '../../../tools/operator/lists/list.ts';
import { arnOf, openedBy } from '../../support/fake-aws.ts';
import { seedClient, seedSigningKeys } from './support/seed.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { type ConsoleWithAws, startConsole, startConsoleWithAws, type TestConsole } from './support/serve.ts';
import { enter } from './support/visitor.ts';

let console: ConsoleWithAws;
/** The console of somebody else. */
let other: TestConsole;
/** Who invoked a function last, as its event says. */
let invoker: unknown;

beforeAll(async () => {
  console = await startConsoleWithAws();
  const { aws } = console;
  other = await startConsole(openedBy(aws, 'grace'));
  seedSigningKeys(aws);
  const at = new Date().toISOString();
  const revocation = { kid: 'current-kid', signing_kid: 'next-kid', revoked_at: at };
  const ends = { rejected_from: at, rejected_by_clients_from: at, tokens_until: at };
  const answer = (name: string, payload: object) =>
    aws.functions.set(name, (event) => {
      invoker = attributeOf(Object(event), 'operator');
      return { payload };
    });
  answer('signing-keys', { ...revocation, ...ends });
  const report = { recorded: 3, expired: 2, deleted: 1, done: 0, failed: 0, unfinished: false };
  answer('reconcile-uploads', report);
  answer('record-upload', {});
});
afterAll(async () => {
  await other.stop();
  await console.stop();
});

const newClient = async () => (await seedClient(console.aws.deployment)).client_id;
let files = 0;
const newFile = async (syncEnabled = true, organisationId = 'acme') => {
  files += 1;
  const file = { organisationId, name: 'Orders', syncEnabled, fileId: `file-${files}` };
  return (await createFile(console.aws.deployment, file)).file_id;
};

/** Who changed an item last, as the item says. */
const changerOf = async (kind: Kind, id: string) =>
  (await readItem(console.aws.deployment, kind, id))?.updated_by?.S;

/** An action, and what the console says afterwards. */
interface Case {
  /** The id of the entity. */
  readonly id?: string;
  /** The values in the form of the action. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly says: string;
  /** Who did it. Default: as the item with the id says. */
  readonly doneBy?: () => unknown;
}

/** Every action that there is: a verb that is missing here does not compile. */
const cases: { readonly [Of in Noun]: Readonly<Record<Verb<Of>, () => Promise<Case>>> } = {
  client: {
    create: async () => ({
      answers: { organisation: 'initech', name: 'Nightly export', scope: 'volume:read' },
      says: 'Save the client secret now.',
      doneBy: async () =>
        (await allOf(listClients(console.aws.deployment, { organisation: 'initech' })))[0]?.created_by,
    }),
    rename: async () => ({
      id: await newClient(),
      answers: { name: 'Hourly export' },
      says: '<bdi>Hourly export</bdi></h1>',
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
    create: async () => {
      files += 1;
      const id = `new-${files}`;
      return {
        answers: { organisation: 'acme', name: 'Orders', id, syncEnabled: 'true' },
        says: 'was created.',
        doneBy: async () => (await readItem(console.aws.deployment, 'file', id))?.created_by?.S,
      };
    },
    rename: async () => ({
      id: await newFile(),
      answers: { name: 'Prices' },
      says: '<bdi>Prices</bdi></h1>',
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
    reconcile: async () => ({
      says: '3 uploads recorded, 2 found unused, replaced content of 1 deleted, in 1 run.',
      doneBy: () => invoker,
    }),
    replay: async () => {
      console.aws.queue.set('one', '{}');
      return { says: '1 event replayed, 0 failed.', doneBy: () => invoker };
    },
  },
  organisation: {
    delete: async () => {
      const file = await newFile(true, 'umbrella');
      const says = '0 clients and 1 file were deleted';
      const doneBy = () => changerOf('file', file);
      return { id: 'umbrella', answers: { typed: 'umbrella' }, says, doneBy };
    },
  },
  request: {},
  'signing-key': {
    rotate: async () => ({ says: 'The signing key was rotated.' }),
    revoke: async () => ({ id: 'current-kid', says: 'The key was revoked.', doneBy: () => invoker }),
    'revoke-all': async () => ({ says: '2 signing keys revoked.', doneBy: () => invoker }),
  },
};

const everyCase = Object.entries(cases).flatMap(([noun, verbs]) =>
  Object.entries(verbs).map(([verb, arrange]) => ({ noun: noun as Noun, verb, arrange })),
);

describe('the form of an action', () => {
  test.for(everyCase)('does it and says so: $noun $verb', async ({ noun, verb, arrange }) => {
    const { id, answers, says } = await arrange();
    const address = addressOf(noun, verb, id);
    const visitor = await enter(console);
    expect(await visitor.act(address, address, answers)).toContain(says);
  });

  // A rotation is started with Secrets Manager, whose calls CloudTrail logs.
  const withCaller = everyCase.filter(({ verb }) => verb !== 'rotate');

  test.for(withCaller)('leaves who did it: $noun $verb', async ({ noun, verb, arrange }) => {
    invoker = undefined;
    const { id = '', answers, doneBy = () => changerOf(noun as Kind, id) } = await arrange();
    const address = addressOf(noun, verb, id);
    await (await enter(other)).act(address, address, answers);
    expect(await doneBy()).toBe(arnOf('grace'));
  });
});

function addressOf(noun: Noun, verb: string, id: string | undefined): string {
  return `/${nouns[noun].plural}/${id ? `${id}/${verb}` : `+${verb}`}`;
}
