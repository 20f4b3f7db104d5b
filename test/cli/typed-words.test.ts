import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { typedWords } from '../../cli/terminal/typed-words.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { projectRoot } from './support/shell.ts';

describe('the words are those that the reader typed', () => {
  const run = { npm_command: 'run-script', npm_lifecycle_event: 'admin' };
  const npx = { npm_command: 'exec', npm_lifecycle_event: 'npx' };
  test.each([
    ['/clone/bin/admin.ts', run, 'npm run -s admin --', 'npm run -s upload --'],
    [
      '/clone/bin/upload.ts',
      { ...run, npm_lifecycle_event: 'upload' },
      'npm run -s admin --',
      'npm run -s upload --',
    ],
    [
      '/home/.npm/_npx/1/node_modules/.bin/file-sync-admin',
      npx,
      'npx file-sync-admin',
      'npx file-sync-upload',
    ],
    ['/usr/local/bin/file-sync-admin', {}, 'file-sync-admin', 'file-sync-upload'],
    // On Windows, a .cmd file starts the script itself.
    [
      '/prefix/node_modules/file-sync-api/bin/file-sync-upload.mjs',
      {},
      'file-sync-admin',
      'file-sync-upload',
    ],
    // Scripts of other projects call the tools by their names.
    ['/usr/local/bin/file-sync-admin', run, 'file-sync-admin', 'file-sync-upload'],
    ['/clone/bin/admin.ts', {}, 'node --import tsx bin/admin.ts', 'node --import tsx bin/upload.ts'],
    [
      '/clone/bin/admin.ts',
      { ...run, npm_lifecycle_event: 'test' },
      'node --import tsx bin/admin.ts',
      'node --import tsx bin/upload.ts',
    ],
  ])('%s with %j', (script, env, adminWords, uploadWords) => {
    const words = typedWords(script, env);
    expect([words('admin'), words('upload')]).toEqual([adminWords, uploadWords]);
  });
});

describe('as processes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-sync-words-test-'));
    // What is in the reader's folder must not matter.
    const paths = { commander: ['./other.ts'] };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { baseUrl: '.', paths } }),
    );
    await writeFile(join(folder, 'other.ts'), 'throw new Error("the wrong commander");');
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Without what npm sets for this test run. */
  const plain = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

  function typed(command: string, parameters: readonly string[], cwd = projectRoot) {
    const env = { ...plain, npm_config_cache: join(folder, 'npm'), npm_config_offline: 'true' };
    return new Promise<{ stdout: string; stderr: string }>((resolve) =>
      execFile(command, parameters, { cwd, env }, (_, stdout, stderr) => resolve({ stdout, stderr })),
    );
  }

  test.each(['admin', 'upload'])(
    'file-sync-%s works in any folder through a link, as npm link makes it',
    async (tool) => {
      const name = join(folder, `file-sync-${tool}`);
      await symlink(join(projectRoot, 'bin', `file-sync-${tool}.mjs`), name);
      const [version, help] = [
        await typed(name, ['--version'], folder),
        await typed(name, ['--help'], folder),
      ];
      expect(version).toEqual({ stdout: `${packageJson.version}\n`, stderr: '' });
      expect(help.stdout).toMatch(new RegExp(`^Usage: file-sync-${tool} \\[options\\]`));
    },
  );

  test('npx finds both names in the clone', async () => {
    const help = await typed('npx', ['file-sync-admin', 'client', '--help']);
    expect(help.stdout).toMatch(/^Usage: npx file-sync-admin client /);
    const version = await typed('npx', ['file-sync-upload', '--version']);
    expect(version.stdout).toBe(`${packageJson.version}\n`);
  });

  test('npm run keeps its own form', async () => {
    const { stderr } = await typed('npm', ['run', '-s', 'upload', '--', '--fil', 'x']);
    expect(stderr).toContain('Add --help to see the commands and options: npm run -s upload -- --help');
  });
});
