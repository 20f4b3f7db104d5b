import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import type { Scope } from '../../../contract/routes.ts';
import { readExamples } from '../../../tools/generate/examples.ts';
import { createClient, revokeClient } from '../../../tools/operator/clients/client.ts';
import { uploadHostOf } from '../../../tools/operator/clients/guide/page.ts';
import { createFile } from '../../../tools/operator/files/file.ts';
import { startAws } from '../../support/aws.ts';
import { adminOf } from '../../support/run-admin.ts';
import { hostileName } from '../console/support/seed.ts';

const aws = await startAws();
const run = adminOf(aws.deployment);
const { outputs, awsConfig } = aws.deployment;
const uploadHost = new URL(awsConfig.endpoint ?? '').host;

const seed = (organisationId: string, scopes: readonly Scope[] = ['sync:create'], name = 'Nightly export') =>
  createClient(aws.deployment, { organisationId, name, scopes });
const seedFile = (organisationId: string, fileId: string, syncEnabled = true, name = fileId) =>
  createFile(aws.deployment, { organisationId, fileId, name, syncEnabled });

/** Creates a client, and returns its guide. */
const guideOf = async (...client: Parameters<typeof seed>) =>
  (await run(`client guide ${(await seed(...client)).client_id}`)).stdout;

const characters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** Text of a page as people see it, without markup. */
const shownIn = (html: string) =>
  html.replace(/<[^>]*>/g, '').replace(/&[^;]*;/g, (entity) => characters[entity] ?? entity);

test('a guide has the values of the client and the figures of the deployment, but no secret', async () => {
  await seedFile('acme', 'stopped', false);
  await seedFile('acme', 'orders');
  await seedFile('other', 'foreign');
  const { client_id, client_secret } = await seed('acme', ['volume:read', 'sync:create']);
  aws.calls.clear();
  const { stdout } = await run(`client guide ${client_id}`);
  expect(Object.fromEntries(aws.calls)).toEqual({ GetItem: 1, Query: 1, BatchGetItem: 1 });
  const parts = [
    `export FILE_SYNC_BASE_URL=${outputs.BaseUrl}\nexport FILE_SYNC_CLIENT_ID=${client_id}\nexport FILE_SYNC_FILE_ID=orders\n`,
    'volume:read sync:create',
    'no: 409 until the operator enables it',
    '"expires_in":1800',
    '1800 seconds. Use one',
    '310 requests per second',
    '210 requests per second',
    '5.0 GiB (5,368,709,120 bytes)',
    '127.0.0.1:3000',
    uploadHost,
    'Name, mail, telephone:',
  ];
  const shown = shownIn(stdout);
  expect(parts.filter((part) => !shown.includes(part))).toEqual([]);
  expect(stdout).not.toContain(client_secret);
  expect(stdout).not.toContain('foreign');
  expect(stdout).not.toMatch(/<script|<link|<img|src=|href=/);
});

test('the host of upload URLs is the one of S3, except on a local run', () => {
  const ofStack = uploadHostOf({ ...aws.deployment, awsConfig: {} });
  expect([ofStack, uploadHostOf(aws.deployment)]).toEqual([outputs.UploadHost, uploadHost]);
});

test('a guide has every program of docs/api.md, escaped', async () => {
  const shown = shownIn(await guideOf('programs'));
  const examples = await readExamples();
  expect(examples.map(({ language }) => language)).toEqual(
    expect.arrayContaining(['curl', 'Python', 'Go', 'C#']),
  );
  expect(examples.filter(({ code }) => !shown.includes(code))).toEqual([]);
});

test('a guide shows hostile names as text', async () => {
  await seedFile('hostile', 'hostile', true, hostileName);
  const { client_id } = await seed('hostile', ['sync:create'], hostileName);
  const { stdout } = await run(`client guide ${client_id}`);
  expect(stdout).not.toMatch(/<b |\u202e/);
  expect(
    shownIn(stdout).match(/<b onclick=alert\(1\)>Name<\/b> "quoted" & \ufffdgnp\ufffd\.exe/g),
  ).toHaveLength(3);
});

test('a guide lists 50 files at most, and says so', async () => {
  for (let file = 1; file <= 51; file += 1) {
    await seedFile('many', `file-${file}`);
  }
  const guide = await guideOf('many');
  expect(guide.match(/<td><bdi>file-\d+<\/bdi><\/td><td><bdi>file/g)).toHaveLength(50);
  expect(guide).toContain('These are the newest 50 files.');
});

test.for([
  ['sync:create', false],
  ['volume:read', true],
] as const)('the guide of a client with %s says that it cannot upload: %s', async ([scope, isSaid]) => {
  const guide = await guideOf('scopes', [scope]);
  expect(guide.includes('This client cannot upload: it lacks the scope')).toBe(isSaid);
});

test('a revoked client gets no guide', async () => {
  const { client_id } = await seed('revoked');
  await revokeClient(aws.deployment, client_id);
  const { code, stdout, stderr } = await run(`client guide ${client_id}`);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/ is revoked, so it gets no token\.\n {2}admin --local client show client_/);
});

test('a guide is written to a new file, and replaces it only with --force', async () => {
  const { client_id } = await seed('written');
  const output = join(await temporaryFolder(), 'page.html');
  const write = (...flags: readonly string[]) =>
    run(`client guide ${client_id} --output ${output}`, ...flags);
  expect((await write('--json')).json()).toEqual({ output });
  expect(await readFile(output, 'utf8')).toContain('<h2>The three requests</h2>');
  expect(await write()).toMatchObject({ code: 1, stderr: expect.stringContaining('Add --force') });
  expect((await write('--force')).code).toBe(0);
});
