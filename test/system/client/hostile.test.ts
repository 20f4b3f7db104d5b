import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { builtProgram } from '../../support/built-program.ts';
import { lacks } from '../../support/missing-tool.ts';
import { runProcess } from '../../support/run-process.ts';
import {
  confidential,
  credentials,
  type HostileResponse,
  hostileResponses,
  startHostileService,
} from '../examples/hostile-responses.ts';

/** Runs each client against each response of {@link hostileResponses}, in a separate folder. */

const folder = await temporaryFolder();
const library = join(folder, 'library.mts');
await writeFile(
  library,
  `import { inspect } from 'node:util';
import { createFileSyncClient } from '${pathToFileURL(resolve('packages/client/index.ts'))}';
const { FILE_SYNC_BASE_URL: baseUrl, FILE_SYNC_CLIENT_ID: clientId, FILE_SYNC_CLIENT_SECRET: clientSecret } = process.env;
const client = createFileSyncClient({ baseUrl, clientId, clientSecret });
client.uploadFile('orders', process.argv[2], { onRetry: console.error }).then(console.log, (error) => {
  const shown = [inspect(error, { depth: 9 }), JSON.stringify(error), inspect(client, { showHidden: true })];
  console.error(shown.join('\\n').replace(/\\n\\s+at .*/g, ''));
  process.exitCode = error.name === 'FileSyncError' ? 1 : 99;
});
`,
);

const clients = [
  {
    name: 'the library',
    missing: undefined,
    command: [process.execPath, '--import', import.meta.resolve('tsx'), library],
  },
  {
    name: 'the upload command',
    missing: undefined,
    command: [process.execPath, await builtProgram('tools/upload/main.ts')],
  },
  {
    name: 'Python',
    missing: lacks('python3', '--version'),
    command: ['python3', resolve('packages/client/python/file_sync.py')],
  },
];

/** Longer than the limits for a response. */
const timeout = 150_000;

async function run([program = '', ...parameters]: readonly string[], hostile: HostileResponse) {
  const cwd = await mkdtemp(join(folder, 'home-'));
  await writeFile(join(cwd, 'orders.csv'), 'id,total\n');
  const service = await startHostileService(hostile);
  const env = {
    PATH: process.env.PATH,
    FILE_SYNC_BASE_URL: service.baseUrl,
    FILE_SYNC_CLIENT_ID: credentials.clientId,
    FILE_SYNC_CLIENT_SECRET: hostile.secret ?? credentials.secret,
    FILE_SYNC_FILE_ID: 'orders',
  };
  const { code, stdout, stderr } = await runProcess(program, [...parameters, 'orders.csv'], {
    cwd,
    env,
    timeout,
  });
  await service.close();
  return { code, printed: stdout + stderr, seen: service.seen, files: await readdir(cwd) };
}

for (const { name, missing, command } of clients) {
  describe.skipIf(missing !== undefined).concurrent(missing ?? name, () => {
    const responses = hostileResponses.filter(({ programs = [name] }) => programs.includes(name));
    test.for(responses.map((hostile) => [`${hostile.to}: ${hostile.name}`, hostile] as const))(
      'withstands %s',
      { timeout },
      async ([, hostile]) => {
        const { code, printed, seen, files } = await run(command, hostile);
        expect(hostile.once === true ? [0] : [1, 3], printed.slice(0, 2000)).toContain(code);
        expect(files).toEqual(['orders.csv']);
        expect(printed.replaceAll('\n', '')).toMatch(/^[ -~\u2026\ufffd]*$/);
        expect(printed.length).toBeLessThan(2_500);
        expect(confidential.filter((text) => printed.includes(text))).toEqual([]);
        expect(printed).not.toMatch(/Traceback|\n\s+at /);
        expect(seen.filter(({ kind }) => kind === 'other')).toEqual([]);
        expect(hostile.status === 501 ? seen.length : 3).toBe(3);
      },
    );
  });
}
