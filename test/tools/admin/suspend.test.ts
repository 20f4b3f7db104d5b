import { createClient, revokeClient } from '../../../tools/operator/clients/client.ts';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { readItem } from '../../../tools/operator/deployment/items.ts';
import { createFile, getFile } from '../../../tools/operator/files/file.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { startAws } from '../../support/aws.ts';
import { admin, adminOf, failure } from '../../support/run-admin.ts';
import { fileItem, putIssued } from './items.ts';

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
  /** Runs the command with work during its wait. */
  const setBeside = (verb: 'suspend' | 'resume', duringWait: () => Promise<unknown>) =>
    admin(deployment, ['--local', 'organisation', verb, id, '--yes'], {}, { duringWait });
  return { id, active, revoked, file: files[0], disabled: files[1], state, newFile, set, setBeside };
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
  const { stderr } = await set('suspend');
  expect(stderr).toContain('Upload URLs already issued work until they expire.');
  expect((await getUpload(deployment, upload)).state).toBe('issued');
  expect((await set('suspend', '--cancel-uploads')).json()).toMatchObject({ files: 0, cancelled: 1 });
  expect((await getUpload(deployment, upload)).state).toBe('cancelled');
});

test('a file that only the second pass finds is suspended', async () => {
  const { id, setBeside } = await newOrganisation();
  const late = `late-${rounds}`;
  await setBeside('suspend', () => aws.putItem('files', fileItem(late, 0, { organisation_id: id })));
  expect(await getFile(deployment, late)).toHaveProperty('suspended_at');
});

test('a suspension ends when another operator resumes the organisation', async () => {
  const { set, setBeside } = await newOrganisation();
  const stopped = await setBeside('suspend', () => set('resume'));
  expect(stopped).toMatchObject(failure('Another operator suspends or resumes'));
});

test.for<readonly [string, (of: Awaited<ReturnType<typeof newOrganisation>>) => readonly string[]]>([
  ['client reinstate', ({ revoked }) => [revoked]],
  ['client add-secret', ({ active }) => [active]],
  ['client create', ({ id }) => ['--organisation', id, '--name', 'n', '--scope', 'sync:create']],
  ['file enable-sync', ({ disabled }) => [disabled]],
  ['file create', ({ id }) => ['--organisation', id, '--name', 'n', '--sync-enabled']],
])('%s names the suspension, and the way to end it', async ([command, words]) => {
  const created = await newOrganisation();
  await created.set('suspend');
  const { code, stdout, stderr } = await run(...command.split(' '), ...words(created));
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Suspended +2/m)]);
  expect(stderr).toContain(`The organisation "${created.id}" is suspended: `);
  expect(stderr).toContain(`organisation resume ${created.id}\n`);
});

// The organisation, its two clients and three files, and two writes for the URL.
test.for([1, 4, 7])(
  'a suspension that stops after %i writes is completed by a repeat, as its end is',
  async (writes) => {
    const { id, file, state, set } = await newOrganisation();
    const before = await state();
    const upload = await putIssued(aws, 2, { organisation_id: id, file_id: file });
    aws.deny(/:(Put|Update)(Item|Object)$/, writes);
    const { code } = await set('suspend', '--cancel-uploads');
    aws.deny(/^$/);
    await set('suspend', '--cancel-uploads');
    const marked = (await state()).filter((item) => 'suspended_at' in item);
    const { state: ended } = await getUpload(deployment, upload);
    expect([code, marked.length, ended]).toEqual([1, 6, 'cancelled']);
    aws.deny(/:UpdateItem$/, writes);
    await set('resume');
    aws.deny(/^$/);
    await set('resume');
    expect(await state()).toEqual(before);
  },
);

test('a deleted organisation is not suspended', async () => {
  const { id, set } = await newOrganisation();
  await run('organisation', 'delete', id, '--yes');
  expect(await set('suspend')).toMatchObject(failure('was deleted at'));
});
