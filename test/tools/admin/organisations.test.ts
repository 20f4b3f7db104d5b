import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { timestamp } from '../../../storage/attributes.ts';
import { updateToDeletedOrganisation } from '../../../storage/organisation.ts';
import { getClient } from '../../../tools/operator/clients/client.ts';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { updateItem } from '../../../tools/operator/deployment/items.ts';
import { getFile } from '../../../tools/operator/files/file.ts';
import { readOrganisation } from '../../../tools/operator/organisations/create.ts';
import { startAws } from '../../support/aws.ts';
import { admin, adminOf } from '../../support/run-admin.ts';
import { clientItem, organisationItem } from './items.ts';

const aws = await startAws();
const run = adminOf(aws.deployment);
const database = await dynamoDBClient(aws.deployment);

/** The longest lifetime of tokens is an hour: of a key that is retired. */
const entry = (state: string, token_lifetime_seconds: number) => ({
  jwk: { kty: 'EC', crv: 'P-256', x: 'xx', y: 'yy', kid: state, alg: 'ES256', use: 'sig' },
  state,
  since: '2026-01-02T00:00:00.000Z',
  token_lifetime_seconds,
});
await aws.publishKeys(JSON.stringify({ keys: [entry('current', 600), entry('retired', 3600)] }));

let organisation: string;
let rounds = 0;
beforeEach(() => {
  rounds += 1;
  organisation = `org-${rounds}`;
});
afterEach(() => aws.deny(/^$/));

const createClient = (...flags: readonly string[]) =>
  run('client', 'create', '--organisation', organisation, '--name', 'n', '--scope', 'sync:create', ...flags);
const createFile = (...flags: readonly string[]) =>
  run('file', 'create', '--organisation', organisation, '--name', 'n', '--id', `f-${rounds}`, ...flags);
const creations = { client: createClient, file: createFile };
type Created = keyof typeof creations;
const kinds = Object.keys(creations) as Created[];

const ago = (seconds: number) => timestamp(new Date(Date.now() - seconds * 1000));

/** Puts the record of an organisation whose deletion was complete so many seconds ago. */
const putDeleted = (seconds: number) =>
  aws.putItem(
    'organisations',
    organisationItem(organisation, 0, { deleted_at: ago(seconds + 9), closed_at: ago(seconds) }),
  );

describe('the record of an organisation', () => {
  test.for(kinds)('is written before its first %s', async (kind) => {
    aws.deny(/:PutItem$/, 1);
    expect((await creations[kind]()).code).toBe(1);
    expect(await readOrganisation(aws.deployment, organisation)).toMatchObject({
      organisation_id: organisation,
      created_by: expect.stringContaining('arn:aws:'),
    });
  });

  test('is kept by everything that is created later, also at the same time', async () => {
    const created = await Promise.all([createClient(), createFile(), createClient()]);
    expect(created.map(({ code }) => code)).toEqual([0, 0, 0]);
    const first = await readOrganisation(aws.deployment, organisation);
    await createClient();
    expect(await readOrganisation(aws.deployment, organisation)).toEqual(first);
  });

  test('outlives every token, however short the retention is', async () => {
    await createClient();
    const outputs = { ...aws.deployment.outputs, SupersededRetentionDays: '1' };
    await admin({ ...aws.deployment, outputs }, ['--local', 'organisation', 'delete', organisation, '--yes']);
    const { closed_at = '', delete_after = '' } =
      (await readOrganisation(aws.deployment, organisation)) ?? {};
    expect(Date.parse(delete_after)).toBeGreaterThan(Date.parse(closed_at) + 26 * 3_600_000);
  });
});

describe('an organisation that was deleted', () => {
  test.for(kinds)('is not created again by a new %s while a token may work', async (kind) => {
    await putDeleted(3600);
    const refused = await creations[kind]();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /was deleted at 2\S+Z\. Until 2\S+Z, its access tokens may still work, .* confirm .*: --recreate-organisation\.\n$/,
    );
    expect(await readOrganisation(aws.deployment, organisation)).toHaveProperty('closed_at');
  });

  test.for(kinds)('is created again by a new %s when its tokens have expired', async (kind) => {
    await putDeleted(3661);
    expect((await creations[kind]()).code).toBe(0);
    expect(await readOrganisation(aws.deployment, organisation)).not.toHaveProperty('deleted_at');
  });

  test.for(kinds)('is created again by a new %s with a yes', async (kind) => {
    await putDeleted(1);
    expect((await creations[kind]('--recreate-organisation')).code).toBe(0);
    expect(await readOrganisation(aws.deployment, organisation)).not.toHaveProperty('closed_at');
  });

  test('is not created again before its deletion is complete', async () => {
    const deleted_at = ago(90_000);
    await aws.putItem('organisations', organisationItem(organisation, 0, { deleted_at }));
    expect(await createClient('--recreate-organisation')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`began at ${deleted_at}, and is not complete. Nothing was changed.`),
    });
  });

  test('is not in the list, unless its deletion is not complete', async () => {
    const deleted_at = ago(2);
    await putDeleted(1);
    await aws.putItem('organisations', organisationItem('begun', 0, { deleted_at }));
    const listed = (await run('organisation', 'list', '--json')).json().data as object[];
    expect(listed).toContainEqual(expect.objectContaining({ organisation_id: 'begun', deleted_at }));
    expect(listed).not.toContainEqual(expect.objectContaining({ organisation_id: organisation }));
  });
});

describe('beside a deletion of its organisation', () => {
  const deletedAt = {
    client: async (id: string) => (await getClient(aws.deployment, id)).deleted_at,
    file: async (id: string) => (await getFile(aws.deployment, id)).deleted_at,
  };

  test.for(kinds)('a new %s is deleted too, and the command says so', async (kind) => {
    await createClient();
    let id = '';
    database.middlewareStack.add(
      (next) => async (args) => {
        const { Item, TableName } = Object(args.input);
        if (TableName === `test-${kind}s` && Item?.organisation_id.S === organisation) {
          id = Item[`${kind}_id`].S;
          await updateItem(aws.deployment, 'organisation', updateToDeletedOrganisation(organisation, ago(0)));
        }
        return next(args);
      },
      { step: 'initialize', name: 'deletion' },
    );
    const { code, stdout, stderr } = await creations[kind]();
    database.middlewareStack.remove('deletion');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('was deleted at the same time, so what was created is deleted too.');
    expect(stderr).toContain(`organisation delete ${organisation}`);
    expect(await deletedAt[kind](id)).toBeDefined();
  });

  test('a client that the deletion did not list at first is deleted', async () => {
    await createClient();
    const late = { id: `late-${rounds}`, isPut: false };
    const duringWait = async () => {
      if (!late.isPut) {
        late.isPut = true;
        await aws.putItem('clients', clientItem(late.id, 0, { organisation_id: organisation }));
      }
    };
    const words = ['--local', 'organisation', 'delete', organisation, '--yes', '--json'];
    const deleted = await admin(aws.deployment, words, {}, { duringWait });
    expect(deleted.json()).toMatchObject({ clients: 2 });
    expect((await getClient(aws.deployment, late.id)).delete_after).toBeDefined();
  });
});
