import { execFile } from 'node:child_process';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { runNamed } from '../../long/named-programs.ts';

const root = new URL('../../../', import.meta.url);

const named = {
  command: 'npm run things',
  programs: {
    one: { file: 'a/one.ts', description: 'Does one thing' },
    another: { file: 'a/another.ts', description: 'Does another thing' },
  },
};

describe('a program that is run by its name', () => {
  let printed: { stdout: string; stderr: string };
  let ran: string[];

  beforeEach(() => {
    printed = { stdout: '', stderr: '' };
    ran = [];
  });

  function run(parameters: readonly string[], exitCodes: Readonly<Record<string, number>> = {}) {
    const output = {
      stdout: (text: string) => {
        printed.stdout += text;
      },
      stderr: (text: string) => {
        printed.stderr += text;
      },
    };
    return runNamed(named, parameters, output, async (file, options) => {
      ran.push([file, ...options].join(' '));
      return exitCodes[file] ?? 0;
    });
  }

  it('gets its options, and its exit code is passed on', async () => {
    expect(await run(['one', '--rounds', '3'], { 'a/one.ts': 7 })).toBe(7);
    expect(ran).toEqual(['a/one.ts --rounds 3']);
  });

  it('is listed in one line when no name is given, which is an error', async () => {
    expect(await run([])).toBe(2);
    expect(printed.stdout).toBe('');
    expect(printed.stderr).toContain('Usage: npm run things -- NAME [options]');
    expect(printed.stderr).toContain('\n  one      Does one thing\n  another  Does another thing\n');
    expect(ran).toEqual([]);
  });

  it('is listed by --help, which is not an error', async () => {
    expect(await run(['--help'])).toBe(0);
    expect(printed.stdout).toContain('  another  Does another thing\n');
    expect(printed.stderr).toBe('');
  });

  it.each(['two', 'toString', '--rounds'])('does not run for the unknown name %s', async (name) => {
    expect(await run([name])).toBe(2);
    expect(printed.stderr).toBe(`error: unknown name '${name}'. The names are: one, another, all\n`);
    expect(ran).toEqual([]);
  });

  it('runs with all others for all, after one that failed too', async () => {
    expect(await run(['all'], { 'a/one.ts': 2 })).toBe(1);
    expect(ran).toEqual(['a/one.ts', 'a/another.ts']);
    expect(printed.stdout).toBe('== one\n== another\nfailed: one\n');
    expect(await run(['all'])).toBe(0);
  });

  it('does not run for all with options', async () => {
    expect(await run(['all', '--rounds', '3'])).toBe(2);
    expect(printed.stderr).toBe("error: 'all' takes no options, but was given: --rounds 3\n");
    expect(ran).toEqual([]);
  });
});

test('a program runs in a process of its own, with its options and its exit code', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-named-test-'));
  const file = join(folder, 'program.ts');
  await writeFile(
    file,
    'const [option]: string[] = process.argv.slice(2);\nprocess.exitCode = Number(option);\n',
  );
  const programs = { it: { file, description: '' } };
  const nowhere = { stdout: () => undefined, stderr: () => undefined };
  expect(await runNamed({ command: 'run', programs }, ['it', '5'], nowhere)).toBe(5);
  await rm(folder, { recursive: true });
});

test('every script of package.json and the CDK run TypeScript in the same way', async () => {
  const { scripts } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
  const { app } = JSON.parse(await readFile(new URL('cdk.json', root), 'utf8'));
  const commands = [app, ...Object.values<string>(scripts)].filter((command) =>
    /\bnode\b|tsx|\.[cm]?[jt]s\b/.test(command),
  );
  expect(commands.length).toBeGreaterThan(5);
  for (const command of commands) {
    expect(command).toMatch(/^node (--[\w=-]+ )*--import tsx [\w/-]+\.ts$/);
  }
});

describe.each([
  [
    'test:long',
    'test/long/main.ts',
    ['--help'],
    [
      'uploads',
      'rotation',
      'faults',
      'alarms',
      'iam',
      'limits',
      'lists',
      'settings',
      'generators',
      'fuzz',
      'mutation',
      'leaks',
    ],
  ],
])('npm run %s', (script, main, list, names) => {
  it('is the script of that name', async () => {
    const { scripts } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
    expect(scripts[script]).toBe(`node --import tsx ${main}`);
  });

  it('lists its programs, whose files exist', async () => {
    const { code, stdout } = await run(main, list);
    expect(code).toBe(0);
    const files = [...stdout.matchAll(/^ {2}(\S+) +(\S+\.ts)$/gm)];
    expect(files.map(([, name]) => name)).toEqual(names);
    for (const [, , file = ''] of files) {
      await access(new URL(file, root));
    }
  });

  it('is described in CONTRIBUTING.md, program by program', async () => {
    const page = await readFile(new URL('CONTRIBUTING.md', root), 'utf8');
    expect(names.filter((name) => !page.includes(`\n| \`${name}\` | `))).toEqual([]);
  });

  it('is named in README.md and SECURITY.md with names that it has', async () => {
    const pages = await Promise.all(
      ['README.md', 'SECURITY.md'].map((page) => readFile(new URL(page, root), 'utf8')),
    );
    const named = [...pages.join('\n').matchAll(/npm run ([\w:]+) -- ([a-z][\w-]*)/g)]
      .filter(([, command]) => command === script)
      .map(([, , name = '']) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !names.includes(name))).toEqual([]);
  });
});

function run(main: string, parameters: readonly string[]): Promise<{ code: unknown; stdout: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', main, ...parameters],
      { cwd: fileURLToPath(root) },
      (error, stdout) => resolve({ code: error?.code ?? 0, stdout }),
    );
  });
}
