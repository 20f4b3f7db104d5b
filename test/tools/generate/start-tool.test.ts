import { appendFile, cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { runProcess } from '../../support/run-process.ts';

const start: string = '../../../tools/generate/start-tool.mjs';
const { sources }: { readonly sources: readonly string[] } = await import(start);

// The copy contains only the sources that mark a build: without one of them, the build fails.
test.for(['admin', 'upload'])('%s is built after a change, and then starts as built', async (tool) => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'node_modules'));
  for (const path of [...sources, 'tsconfig.json']) {
    await cp(path, join(folder, path), { recursive: true });
  }
  for (const name of await readdir('node_modules')) {
    if (!name.startsWith('.')) {
      await symlink(join(process.cwd(), 'node_modules', name), join(folder, 'node_modules', name));
    }
  }
  const builds = join(folder, 'node_modules/.cache/file-sync-tools');
  const path = join(folder, `tools/${tool}/file-sync-${tool}.mjs`);
  const run = () => runProcess(process.execPath, [path, '--version'], { cwd: '/' });
  const version = { code: 0, stdout: `${packageJson.version}\n`, stderr: '' };
  expect(await run()).toEqual(version);

  const [build = ''] = await readdir(builds);
  await writeFile(join(builds, build, 'main.mjs'), 'process.stdout.write("built");');
  expect((await run()).stdout).toBe('built');

  await appendFile(join(folder, 'storage/client.ts'), '\n');
  expect(await run()).toEqual(version);

  await rm(builds, { recursive: true });
  await writeFile(builds, '');
  const stderr = expect.stringMatching(
    /^The command cannot be built, so it starts slowly, from its sources: E/,
  );
  expect(await run()).toEqual({ ...version, stderr });
});
