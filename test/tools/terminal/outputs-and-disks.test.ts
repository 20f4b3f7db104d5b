import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { startAws } from '../../support/aws.ts';
import { builtProgram } from '../../support/built-program.ts';
import { runProcess } from '../../support/run-process.ts';
import { seedFileWithContent } from '../console/support/seed-uploads.ts';
import { type FakeService, startFakeService } from '../upload/support/fake-service.ts';

/** Tests the tools as processes, with closed outputs, missing inputs and full disks. */

const content = 'the content '.repeat(300_000);
/** File size limit below the size of the content, in the units of any shell. */
const smallFiles = 'ulimit -f 2048';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

let folder: string;
let service: FakeService;

const [upload, admin] = await Promise.all(
  ['tools/upload/main.ts', 'tools/admin/main.ts'].map(async (main) =>
    [process.execPath, await builtProgram(main)].join(' '),
  ),
);
const tools = { upload: upload ?? '', admin: admin ?? '' };
const aws = await startAws();
await seedFileWithContent(aws, { fileId: 'orders', body: content });
beforeEach(async () => {
  service = await startFakeService();
  folder = await temporaryFolder();
  await writeFile(join(folder, 'orders.csv'), content);
  await mkdir(join(folder, 'downloads'));
  const { awsConfig, outputs, stackName } = aws.deployment;
  const run = { pid: process.pid, awsEndpoint: awsConfig.endpoint, ...awsConfig, stackName, outputs };
  await writeFile(join(folder, 'run.json'), JSON.stringify(run));
});

const environment = () => ({
  ...process.env,
  ...tools,
  folder,
  FILE_SYNC_BASE_URL: service.baseUrl,
  FILE_SYNC_CLIENT_ID: 'client_1',
  FILE_SYNC_CLIENT_SECRET: 'secret',
});

/** Runs one line in a shell. `$upload` and `$admin` start the tools as separate processes. */
const line = (command: string) => runProcess('sh', ['-c', command], { cwd: projectRoot, env: environment() });

const download = '$admin --local --state "$folder" file download orders --output "$folder/downloads/out"';
const downloads = () => readdir(join(folder, 'downloads'));
const stored = () => service.requests.find(({ method }) => method === 'PUT')?.body.length;

describe('standard error that cannot be written', () => {
  test('does not end an upload, whose reader has gone', async () => {
    const upload = '$upload "$folder/orders.csv" --file orders';
    const { stdout } = await line(`exec 3>&1; { ${upload}; echo "code $?" >&3; } 2>&1 | head -1 >&2`);
    expect(stdout).toBe('code 0\n');
    expect(stored()).toBe(content.length);
  });

  test.runIf(existsSync('/dev/full'))('keeps its exit code where the reason is lost', async () => {
    expect(await line('$upload "$folder/missing" --file orders 2>/dev/full')).toMatchObject({ code: 1 });
  });
});

test('standard output that is closed lets a download end well', async () => {
  const { stdout } = await line(`exec 3>&1; { ${download} 2>/dev/null; echo "code $?" >&3; } | :`);
  expect(stdout).toBe('code 0\n');
  expect(await readFile(join(folder, 'downloads', 'out'), 'utf8')).toBe(content);
});

describe('a download on standard output', () => {
  const stream = '$admin --local --state "$folder" file download orders --output -';

  test('ends quietly when its reader goes away, with a code of its own', async () => {
    const { stdout, stderr } = await line(
      `exec 3>&1; { ${stream}; echo "code $?" >&3; } | head -c 1000 >/dev/null`,
    );
    expect(stdout).toBe('code 141\n');
    expect(stderr).not.toContain('error');
  });

  test.runIf(existsSync('/dev/full'))('fails on a full disk', async () => {
    const { code, stderr } = await line(`${stream} >/dev/full`);
    expect(code).toBe(1);
    expect(stderr).toContain('error: The result cannot be written: no space left on device (ENOSPC).\n');
  });
});

test('Ctrl-C ends an upload, with a code of its own', async () => {
  service.script.sync.push('silent after body');
  const child = spawn('sh', ['-c', 'exec $upload "$folder/orders.csv" --file orders'], {
    cwd: projectRoot,
    env: environment(),
  });
  const ended = once(child, 'exit');
  await expect.poll(() => service.requests.length).toBe(2);
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
});

test('a full disk is an error with the path', async () => {
  const { code, stderr } = await line(`${smallFiles}; ${download}`);
  expect(code).toBe(1);
  expect(stderr).toContain(`error: Cannot write "${join(folder, 'downloads', 'out')}": file too large`);
  expect(stderr).toContain('(EFBIG). Nothing was written: fix the cause, or choose another path.\n');
  expect(await downloads()).toEqual([]);
});
