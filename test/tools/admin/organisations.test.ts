import { timestamp, updateToDeleted } from '../../../storage/attributes.ts';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { keyOf, readItem, updateItem } from '../../../tools/operator/deployment/items.ts';
import { putOrganisation, readOrganisation } from '../../../tools/operator/organisations/create.ts';
import { startAws } from '../../support/aws.ts';
import { adminOf, failure } from '../../support/run-admin.ts';
import { clientItem, organisationItem } from './items.ts';

const aws = await startAws();
const run = adminOf(aws.deployment);
const database = await dynamoDBClient(aws.deployment);

/** Creates an entry of the key set. The longest token lifetime is one hour, set for the retired key. */
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

const kinds = ['client', 'file'] as const;
const create = (kind: (typeof kinds)[number]) => {
  const own = kind === 'client' ? '--scope sync:create' : `--id f-${rounds}`;
  return run(`${kind} create --organisation ${organisation} --name n ${own}`);
};
const record = () => readOrganisation(aws.deployment, organisation);
const ago = (seconds: number) => timestamp(new Date(Date.now() - seconds * 1000));
const put = (changes: Readonly<Record<string, string>>) =>
  aws.putItem('organisations', organisationItem(organisation, 0, changes));
/** Stores an organisation whose deletion was completed the given number of seconds ago. */
const putDeleted = (seconds: number) => put({ deleted_at: ago(seconds + 9), closed_at: ago(seconds) });

describe('the record of an organisation', () => {
  test('is written before its first item', async () => {
    aws.deny(/:PutItem$/, 1);
    expect((await create('file')).code).toBe(1);
    expect(await record()).toMatchObject({ created_by: expect.stringContaining('arn:aws:') });
  });

  test('is kept by everything that is created later, also at the same time', async () => {
    const created = await Promise.all([create('client'), create('file'), create('client')]);
    expect(created.map(({ code }) => code)).toEqual([0, 0, 0]);
    const first = await record();
    // Writes the record again, as a creation does that began before the record existed.
    await putOrganisation(aws.deployment, organisation);
    expect(await record()).toEqual(first);
  });

  test('outlives every token, however short the retention is', async () => {
    await create('client');
    const outputs = { ...aws.deployment.outputs, SupersededRetentionDays: '1' };
    await adminOf({ ...aws.deployment, outputs })(`organisation delete ${organisation} --yes`);
    const { closed_at = '', delete_after = '' } = (await record()) ?? {};
    expect(Date.parse(delete_after)).toBeGreaterThan(Date.parse(closed_at) + 26 * 3_600_000);
  });
});

describe('an organisation that was deleted', () => {
  test('is not created again while a token may work', async () => {
    await putDeleted(3600);
    const { code, stderr } = await create('client');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /was deleted at 2\S+Z\. Until 2\S+Z, its access tokens may still work, .* or choose another id\.\n.* organisation undelete org-\d+\n$/,
    );
    expect(await record()).toHaveProperty('closed_at');
  });

  test('is created again when its tokens have expired', async () => {
    await putDeleted(3661);
    expect((await create('client')).code).toBe(0);
    expect(await record()).not.toHaveProperty('deleted_at');
  });

  test.for([
    ['no record', undefined],
    ['an earlier deletion', ago(99)],
  ] as const)('is not replaced by a creation that read %s', async ([, closedAt]) => {
    await putDeleted(1);
    const deleted = await record();
    await putOrganisation(aws.deployment, organisation, closedAt);
    expect(await record()).toEqual(deleted);
  });

  test('is not created again before its deletion is complete', async () => {
    const deleted_at = ago(90_000);
    await put({ deleted_at });
    expect(await create('client')).toMatchObject(
      failure(`began at ${deleted_at}, and is not complete. Nothing was changed.`),
    );
  });
});

describe('beside a deletion of its organisation', () => {
  test.for(kinds)('a new %s is deleted too, and the command says so', async (kind) => {
    let id = '';
    database.middlewareStack.add(
      (next) => async (args) => {
        const { Item, TableName } = Object(args.input);
        if (TableName === `test-${kind}s` && Item) {
          id = Item[`${kind}_id`].S;
          await updateItem(
            aws.deployment,
            'organisation',
            updateToDeleted(keyOf('organisation', organisation), ago(0)),
          );
        }
        return next(args);
      },
      { step: 'initialize', name: 'deletion' },
    );
    const { code, stdout, stderr } = await create(kind);
    database.middlewareStack.remove('deletion');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('was deleted at the same time, so the new ');
    expect(stderr).toContain(`organisation delete ${organisation}`);
    expect(await readItem(aws.deployment, kind, id)).toHaveProperty('deleted_at');
  });

  test('a client that the deletion did not list at first is deleted', async () => {
    await create('client');
    const late = clientItem(`late-${rounds}`, 0, { organisation_id: organisation });
    let waits = 0;
    const duringWait = async () => {
      waits += 1;
      if (waits === 1) {
        await aws.putItem('clients', late);
      }
    };
    const { json } = await adminOf(aws.deployment, { duringWait })(
      `organisation delete ${organisation} --yes --json`,
    );
    expect(json()).toMatchObject({ clients: 2 });
    expect(await readItem(aws.deployment, 'client', `late-${rounds}`)).toHaveProperty('delete_after');
  });
});
