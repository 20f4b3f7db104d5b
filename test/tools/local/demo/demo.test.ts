import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFaults } from 'cloud-assembly-emulator/faults';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { adminLines } from '../../../../tools/local/demo/admin-lines.ts';
import { openState } from '../../../../tools/local/start/state-directory.ts';
import { lacks } from '../../../support/missing-tool.ts';
import { runProcess } from '../../../support/run-process.ts';
import { startHere } from '../support/start-here.ts';

const projectRoot = fileURLToPath(new URL('../../../../', import.meta.url));

test.for([
  ['.local', '--local'],
  ['state/of mine', `--local --state '${resolve(projectRoot, 'state/of mine')}'`],
])('admin lines name the state folder only if they need it: %s', ([folder = '', flags]) => {
  const stateDirectory = resolve(projectRoot, folder);
  const [first, ...others] = adminLines({ client: { client_id: 'c' }, fileId: 'f', stateDirectory });
  expect(first).toBe(`npx file-sync-admin ${flags} client show c`);
  expect(others).toContain(`npx file-sync-admin ${flags} upload list --file f`);
});

const stateDirectory = await temporaryFolder();
const text = (await startHere({ stateDirectory, flags: '--no-console' })).stdout();

test('a demonstration shows an upload, and how to do the same by hand', () => {
  const told = (name: string) =>
    [...text.matchAll(new RegExp(`^ {3}${name} +(.*)$`, 'gm'))].map((it) => it[1]);
  const [clientId, fileId, sent] = [...told('client id'), ...told('file id'), ...told('sent')];
  expect(text.match(/^(Demonstration|The same|What|\d\.) .*$/gm)).toEqual([
    expect.stringMatching(/^Demonstration of an upload to http:\/\/127\.0\.0\.1:\d+$/),
    '1. The operator creates a client and a file',
    '2. The client requests a token: POST /oauth/token, with HTTP Basic',
    '3. It lists volumes: GET /v0/volumes',
    `4. It requests an upload URL: POST /v0/files/${fileId}/sync`,
    '5. It PUTs 8.0 MiB to that URL',
    '6. S3 stores the bytes',
    'The same by hand: copy these lines into a shell',
    'What the operator sees of the upload: copy these lines as well',
  ]);
  expect(told('response')).toEqual([
    expect.stringMatching(/^Bearer token for \d+ s, scope "volume:read sync:create"$/),
    '{"data":[]}',
    expect.stringMatching(/^a URL at http:\/\/127\.0\.0\.1:\d+, good for one PUT within \d+ s$/),
    '200',
  ]);
  expect(sent).toMatch(/^sha256 [0-9a-f]{64}$/);
  expect(told('stored')).toEqual([sent]);
  expect(told('object')).toEqual([expect.stringMatching(/^s3:\/\/[\w-]+\/uploads\/[\w-]+, 8388608 bytes$/)]);
  expect(text).toContain(`client show ${clientId}\n`);
  expect(text).toContain(`file show ${fileId}\n`);
  expect(text).toContain(`SECRET=${told('client secret')}\n`);
});

const missing = lacks('curl', '--version') ?? lacks('jq', '--version');

describe.skipIf(missing !== undefined)(missing ?? 'the lines to copy', () => {
  test('upload a file in any folder', async () => {
    const lines = /^export FILE_SYNC_BASE_URL=[\s\S]*$/m.exec(text)?.[0].split('\n\n')[0] ?? '';
    const { stdout } = await runProcess('sh', ['-eu', '-c', lines], { cwd: stateDirectory });
    expect(stdout).toBe('200\n');
  });
});

test('a demonstration that fails prints the reason, and the API serves', async () => {
  const failing = await temporaryFolder();
  openState(failing).release();
  setFaults(failing, { sts: 'failing' });
  const run = await startHere({ stateDirectory: failing, flags: '--no-console', isTTY: true });
  expect(run.stderr()).toMatch(/^file-sync-prod-SyncFunction\w+: {.*"level":"ERROR"/m);
  expect(run.stderr()).toMatch(
    /^The demonstration failed: POST http:\/\/127\.0\.0\.1:\d+\/v0\/files\/file_\w+\/sync got 500 {"error":"internal_error",.*}\nThe API serves all the same\. The logs are in .*logs$/m,
  );
  expect(run.stdout()).toContain('\nready ');
  expect(run.stdout()).toContain('\n\u001b[1mDemonstration of an upload');
  expect(run.stdout()).toContain('\n\u001b[36m1.\u001b[39m The operator');
  expect(run.stdout()).toContain('\n   \u001b[2mclient id    \u001b[22m client_');
});
