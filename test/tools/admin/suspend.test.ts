import { expect, test } from 'vitest';
import { createClient, getClient, revokeClient } from '../../../tools/operator/clients/client.ts';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { readItem } from '../../../tools/operator/deployment/items.ts';
import { createFile, getFile } from '../../../tools/operator/files/file.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { startAws } from '../../support/aws.ts';
import { adminOf, failure } from '../../support/run-admin.ts';
import { putIssued } from './items.ts';

const aws = await startAws();
const { deployment } = aws;
const run = adminOf(deployment);
const database = await dynamoDBClient(deployment);

let rounds = 0;
/** Creates an organisation with an active and a revoked client, and an enabled, a disabled and a deleted file. */
async function newOrganisation() {
  rounds += 1;
  const id = `org-${rounds}`;
  const owned = { organisationId: id, name: 'n' };
  const client = async () =>
    (await createClient(deployment, { ...owned, scopes: ['sync:create'] })).client_id;
  const file = async (fileId: string, syncEnabled = true) =>
    (await createFile(deployment, { ...owned, syncEnabled, fileId })).file_id;
  const [active, revoked] = [await client(), await client()];
  await revokeClient(deployment, revoked);
  const files = [
    await file(`a-${rounds}`),
    await file(`b-${rounds}`, false),
    await file(`c-${rounds}`),
  ] as const;
  await run('file', 'delete', files[2], '--yes');
  const state = async () => {
    const items = await Promise.all([
      ...[active, revoked].map((clientId) => readItem(deployment, 'client', clientId)),
      ...files.map((fileId) => readItem(deployment, 'file', fileId)),
      readItem(deployment, 'organisation', id),
    ]);
    return items.map(({ updated_at: _at, updated_by: _by, ...item } = {}) => item);
  };
  const newFile = async () => {
    const { file_id } = (await run('file', 'create', '--organisation', id, '--name', 'n', '--json')).json();
    return () => getFile(deployment, String(file_id));
  };
  const set = (verb: 'suspend' | 'resume', ...flags: readonly string[]) =>
    run('organisation', verb, id, ...flags, ...(verb === 'suspend' ? ['--yes'] : []), '--json');
  return { id, active, file: files[0], state, newFile, set };
}

test('a suspension marks everything, and resume restores what it stopped', async () => {
  const { id, active, file, state, set } = await newOrganisation();
  const before = await state();
  expect((await set('suspend')).json()).toEqual({ organisation_id: id, clients: 2, files: 3, cancelled: 0 });
  const listed = async (noun: string) =>
    (await run(noun, 'list', '--organisation', id, '--status', 'suspended', '--csv')).stdout.match(
      /^(client_\w{20,}|[ab]-\w+)/gm,
    );
  expect(await listed('client')).toEqual([active]);
  expect(await listed('file')).toEqual([file]);
  expect((await state()).filter((item) => 'suspended_at' in item)).toHaveLength(6);
  await set('resume');
  expect(await state()).toEqual(before);
});

test('a file that is created meanwhile is suspended', async () => {
  const { newFile, set } = await newOrganisation();
  await set('suspend');
  const read = await newFile();
  expect(await read()).toHaveProperty('suspended_at');
  await set('resume');
  expect(await read()).not.toHaveProperty('suspended_at');
});

test.for(['suspend', 'resume'] as const)(
  '%s beside the creation of a file marks the file too',
  async (verb) => {
    const { newFile, set } = await newOrganisation();
    await set(verb === 'resume' ? 'suspend' : 'resume');
    let runs = 0;
    database.middlewareStack.add(
      (next) => async (args) => {
        const { Item, TableName } = Object(args.input);
        if (TableName === 'test-files' && Item && runs === 0) {
          runs += 1;
          await set(verb);
        }
        return next(args);
      },
      { step: 'initialize', name: 'beside' },
    );
    const read = await newFile();
    database.middlewareStack.remove('beside');
    expect(Object.keys(await read()).includes('suspended_at')).toBe(verb === 'suspend');
  },
);

test('a suspension cancels open URLs on request', async () => {
  const { id, file, set } = await newOrganisation();
  const upload = await putIssued(aws, 2, { organisation_id: id, file_id: file });
  await set('suspend');
  expect((await getUpload(deployment, upload)).state).toBe('issued');
  expect((await set('suspend', '--cancel-uploads')).json()).toMatchObject({ files: 0, cancelled: 1 });
  expect((await getUpload(deployment, upload)).state).toBe('cancelled');
});

test('a suspension that was killed is completed by a repeat', async () => {
  const { active, set } = await newOrganisation();
  aws.deny(/:UpdateItem$/, 1);
  expect((await set('suspend')).code).toBe(1);
  aws.deny(/^$/);
  expect((await set('suspend')).code).toBe(0);
  expect(await getClient(deployment, active)).toHaveProperty('suspended_at');
});

test('a deleted organisation is not suspended', async () => {
  const { id, set } = await newOrganisation();
  await run('organisation', 'delete', id, '--yes');
  expect(await set('suspend')).toMatchObject(failure('was deleted at'));
});
