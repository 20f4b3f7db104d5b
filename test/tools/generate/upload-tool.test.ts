import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { buildTool, uploadTool } from '../../../tools/generate/build-tool.ts';
import { runProcess } from '../../support/run-process.ts';
import { startFakeService } from '../upload/support/fake-service.ts';

/** Tests the upload tool as built for the team of a client application: one file in its own folder. */

const folder = await temporaryFolder();
const { path } = await buildTool(uploadTool, folder);

/** Runs the tool in its folder. Its environment contains only PATH and the given variables. */
const tool = (parameters: readonly string[], env: Record<string, string> = {}) =>
  runProcess(process.execPath, ['file-sync-upload.mjs', ...parameters], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });

describe('the file', () => {
  test('contains one package, and is alone in its folder', async () => {
    expect(await readdir(folder)).toEqual(['file-sync-upload.mjs']);
    const text = await readFile(path, 'utf8');
    const packages = [...text.matchAll(/^\s*\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(
      ([, name]) => name,
    );
    expect([...new Set(packages)].sort()).toEqual(['commander']);
  });

  test('is the same, byte by byte, when it is built again elsewhere', async () => {
    const other = await temporaryFolder();
    const again = await buildTool(uploadTool, other);
    expect((await readFile(again.path)).equals(await readFile(path))).toBe(true);
    expect(again.bytes).toBe((await stat(path)).size);
  });

  test('names no folder of the machine that built it', async () => {
    const text = await readFile(path, 'utf8');
    expect(text).not.toContain(process.cwd());
    expect([...text.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)].length).toBeGreaterThan(10);
    expect(text).not.toMatch(/^\/\/ (\/|\.\.)/m);
  });

  test('holds the licence of the package in it', async () => {
    const name = 'commander';
    const text = await readFile(path, 'utf8');

    const { version } = JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8'));
    const licence = text.slice(text.indexOf(`\n${name} ${version}\n`));
    expect(licence.slice(0, 2000)).toMatch(/Copyright[\s\S]*Permission is hereby granted, free of charge/);
  });
});

test('its help begins with the line that starts it', async () => {
  const byNode = await tool(['--help']);
  expect(byNode).toMatchObject({ code: 0, stderr: '' });
  expect(byNode.stdout).toMatch(/^Usage: node file-sync-upload\.mjs \[options\] <path>\n/);
  expect(byNode.stdout).toContain('  node file-sync-upload.mjs orders.csv\n');
});

test('it uploads a file', async () => {
  const { baseUrl } = await startFakeService();
  await writeFile(join(folder, 'orders.csv'), 'id,total\n1,20\n');
  const outcome = await tool(['orders.csv', '--file', 'orders', '--quiet', '--json'], {
    FILE_SYNC_BASE_URL: baseUrl,
    FILE_SYNC_CLIENT_ID: 'client:1',
    FILE_SYNC_CLIENT_SECRET: 'a secret+%',
  });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(outcome.stdout)).toMatchObject({ file_id: 'orders', size: 14, verified: true });
});
