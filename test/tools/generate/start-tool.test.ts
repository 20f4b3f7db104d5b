import { appendFile, cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import packageJson from '../../../package.json' with { type: 'json' };
import { runProcess } from '../../support/run-process.ts';

const start: string = '../../../tools/generate/start-tool.mjs';
const { sources }: { readonly sources: readonly string[] } = await import(start);

// The copy contains only the sources that mark a build: without one of them, the build fails.
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

const run = (tool: string) => {
  const path = join(folder, `tools/${tool}/file-sync-${tool}.mjs`);
  return runProcess(process.execPath, [path, '--version'], { cwd: '/' });
};
const version = { code: 0, stdout: `${packageJson.version}\n`, stderr: '' };

test.for(['admin', 'upload'])('%s is built, and then starts as built', async (tool) => {
  expect(await run(tool)).toEqual(version);
  const build = (await readdir(builds)).find((name) => name.startsWith(tool)) ?? '';
  await writeFile(join(builds, build, 'main.mjs'), 'process.stdout.write("built");');
  expect((await run(tool)).stdout).toBe('built');
});

test('a tool is built again after a change, or starts from its sources', async () => {
  await appendFile(join(folder, 'storage/client.ts'), '\n');
  expect(await run('upload')).toEqual(version);

  await rm(builds, { recursive: true });
  await writeFile(builds, '');
  const stderr = expect.stringMatching(
    /^The command cannot be built, so it starts slowly, from its sources: E/,
  );
  expect(await run('upload')).toEqual({ ...version, stderr });
});
