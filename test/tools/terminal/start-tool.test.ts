import { appendFile, cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { adminTool, buildParts, uploadTool } from '../../../tools/generate/build-tool.ts';
import { runProcess } from '../../support/run-process.ts';

/** Tests the command in a copy of the sources, as a checkout after `npm ci`. */

const start = pathToFileURL('tools/terminal/start-tool.mjs').href;
const { sources } = (await import(start)) as { readonly sources: readonly string[] };

async function checkout() {
  const folder = await temporaryFolder();
  for (const path of [
    'contract',
    'lambdas',
    'package.json',
    'packages',
    'storage',
    'tools',
    'tsconfig.json',
  ]) {
    await cp(path, join(folder, path), { recursive: true });
  }
  await cp('docs/api.md', join(folder, 'docs/api.md'));
  await mkdir(join(folder, 'node_modules'));
  const packages = (await readdir('node_modules')).filter((name) => !name.startsWith('.'));
  const linked = packages.map((name) => join('node_modules', name));
  await Promise.all(linked.map((path) => symlink(join(process.cwd(), path), join(folder, path))));
  const builds = join(folder, 'node_modules/.cache/file-sync-tools');
  return {
    folder,
    /** Runs the command in another folder. */
    run: (...parameters: readonly string[]) =>
      runProcess(process.execPath, [join(folder, 'tools/admin/file-sync-admin.mjs'), ...parameters], {
        cwd: '/',
      }),
    builds: () => readdir(builds),
    /** Marks the built files, to show which start runs them. */
    mark: async () => {
      for (const build of await readdir(builds)) {
        await writeFile(join(builds, build, 'main.mjs'), 'process.stdout.write("built");');
      }
    },
  };
}

const version = { code: 0, stdout: `${packageJson.version}\n`, stderr: '' };

test('the first start builds, and the next runs the built file', async () => {
  const { run, builds, mark } = await checkout();
  expect(await run('--version')).toEqual(version);
  expect(await builds()).toEqual([expect.stringMatching(/^admin-\w{32}$/)]);
  await mark();
  expect((await run('--version')).stdout).toBe('built');
  // The console is not built.
  expect((await run('console', '--help')).stdout).toMatch(/^Usage: /);
});

test('a start after a change of the sources builds again', async () => {
  const { folder, run, mark } = await checkout();
  await run('--version');
  await mark();
  await appendFile(join(folder, 'storage/client.ts'), '\n');
  expect(await run('--version')).toEqual(version);
});

test('starts at the same time leave one complete build', async () => {
  const { run, builds } = await checkout();
  const runs = await Promise.all([run('--version'), run('--version'), run('--version')]);
  expect(runs).toEqual([version, version, version]);
  expect(await builds()).toEqual([expect.stringMatching(/^admin-/)]);
});

test('without a place for the build, the command starts from its sources', async () => {
  const { folder, run } = await checkout();
  await rm(join(folder, 'node_modules/.cache'), { recursive: true, force: true });
  await writeFile(join(folder, 'node_modules/.cache'), '');
  const stderr = expect.stringMatching(
    /^The command cannot be built, so it starts slowly, from its sources: E/,
  );
  expect(await run('--version')).toEqual({ ...version, stderr });
});

test.for([adminTool, uploadTool])('$fileName is built only from sources that mark a build', async (tool) => {
  const inputs = await buildParts(tool, await temporaryFolder());
  const own = inputs.filter((path) => !path.startsWith('node_modules/') && !path.startsWith('results:'));
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((path) => !sources.some((source) => `${path}/`.startsWith(`${source}/`)))).toEqual([]);
});
