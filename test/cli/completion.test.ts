import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Shell, shells } from '../../cli/completion/scripts.ts';
import { runUpload } from '../../cli/upload/program.ts';
import { admin } from '../support/run-admin.ts';
import { TextCollector } from '../support/text-stream.ts';
import { chunks } from './support/upload-command.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'file-sync-completion-test-'));
  mkdirSync(join(folder, 'a folder'));
  writeFileSync(join(folder, 'an order.csv'), '');
  for (const shell of shells) {
    writeFileSync(scriptOf('admin', shell), await adminScript(shell));
    writeFileSync(scriptOf('upload', shell), (await uploadCompletion([shell])).stdout);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

type Tool = 'admin' | 'upload';

const scriptOf = (tool: Tool, shell: Shell) => join(folder, `.${tool}.${shell}`);

async function adminScript(shell: Shell): Promise<string> {
  const { code, opened, stdout, stderr } = await admin(undefined, ['completion', shell]);
  expect({ code, opened, stderr }).toEqual({ code: 0, opened: [], stderr: '' });
  return stdout;
}

async function uploadCompletion(parameters: readonly string[]) {
  const [stdout, stderr] = [new TextCollector(), new TextCollector()];
  const code = await runUpload(['completion', ...parameters], {
    stdin: chunks(),
    stdout,
    stderr,
    env: {},
    words: (tool) => tool,
    version: '1.2.3',
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** What each shell offers at the end of these words, without descriptions. The last word is the one to complete. */
const offered: Readonly<Record<Shell, (tool: Tool, words: readonly string[]) => readonly string[]>> = {
  bash: (tool, words) =>
    run(
      'bash',
      ['--norc', '-c'],
      [
        `source "${scriptOf(tool, 'bash')}"`,
        `COMP_WORDS=(file-sync-${tool} ${quotedAll(words)})`,
        `COMP_CWORD=${words.length}`,
        `_file_sync_${tool}`,
        `printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
    ),
  // What zsh itself brings to completion needs a terminal. In its place stand functions that print what they get.
  zsh: (tool, words) =>
    run(
      'zsh',
      ['-f', '-c'],
      [
        'compdef() { :; }; compset() { :; }',
        `compadd() { print -rl -- "\${@:#--}"; }`,
        `_describe() { print -rl -- "\${(@)\${(@P)2}%%:*}"; }`,
        '_files() { if [[ $1 == -/ ]]; then print -rl -- *(N/); else print -rl -- *(N); fi; }',
        `source "${scriptOf(tool, 'zsh')}"`,
        `words=(file-sync-${tool} ${quotedAll(words)}); CURRENT=${words.length + 1}`,
        `_file_sync_${tool}`,
      ],
    ).filter((word) => word.startsWith(wordToMatch(words))),
  fish: (tool, words) =>
    run(
      'fish',
      ['--no-config', '-c'],
      [`source "${scriptOf(tool, 'fish')}"`, `complete -C "file-sync-${tool} ${words.join(' ')}"`],
    ).map((line) => (line.split('\t')[0] ?? '').replace(/^--\w+=/, '').replaceAll('\\ ', ' ')),
};

function wordToMatch(words: readonly string[]): string {
  return (words.at(-1) ?? '').replace(/^--\w+=/, '');
}

function quotedAll(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' ');
}

function run(shell: Shell, flags: readonly string[], lines: readonly string[]): readonly string[] {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, HOME: folder } } as const;
  const { stdout, stderr } = spawnSync(shell, [...flags, lines.join('\n')], options);
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

const isHere = (shell: Shell) => spawnSync(shell, ['--version']).error === undefined;

describe.each(shells)('in %s', (shell) => {
  const cases: readonly [Tool, readonly string[], readonly string[]][] = [
    [
      'admin',
      [''],
      [
        'activity',
        'client',
        'completion',
        'console',
        'doctor',
        'file',
        'organisation',
        'restore',
        'signing-key',
        'token',
        'upload',
      ],
    ],
    ['admin', ['cl'], ['client']],
    ['admin', ['--local', '--state', 'client', 'signing-key', 'r'], ['revoke', 'rotate']],
    ['admin', ['client', 'cr'], ['create']],
    ['admin', ['client', 'create', '--sc'], ['--scope']],
    ['admin', ['client', 'create', '--scope', 'v'], ['volume:read']],
    ['admin', ['client', 'create', '--name', 'file', '--o'], ['--organisation']],
    ['admin', ['client', 'list', '--st'], ['--stack', '--state', '--status']],
    ['admin', ['upload', 'list', '--file', 'upload', '--state', 'c'], ['cancelled', 'completed']],
    ['admin', ['client', 'list', '--name', ''], []],
    ['admin', ['--state', 'a'], ['a folder/']],
    ['admin', ['file', 'download', 'orders', '--output', 'an'], ['an order.csv']],
    ['admin', ['completion', 'f'], ['fish']],
    ['upload', ['an'], ['an order.csv']],
    ['upload', ['an', '--cl'], ['--client-id', '--client-secret', '--client-secret-file']],
    ['upload', ['--client-secret-file', 'an'], ['an order.csv']],
  ];
  const title = isHere(shell) ? '%s %j is completed with %j' : '%s %j: not run, the shell is not installed';

  test.runIf(isHere(shell)).each(cases)(title, (tool, words, expected) => {
    const found = offered[shell](tool, words).map((word) => word.replace(/\/$/, ''));
    expect(found.toSorted()).toEqual(expected.map((word) => word.replace(/\/$/, '')));
  });

  test('the script names no place of this machine', async () => {
    expect(await adminScript(shell)).not.toMatch(/\/home|\/work|\/tmp|node /);
  });
});

test.runIf(isHere('bash'))('bash takes the equals sign as a word of its own', () => {
  const words = ['upload', 'list', '--state', '=', 'is'];
  expect(offered.bash('admin', words)).toEqual(['issued']);
  expect(offered.bash('admin', words.slice(0, -1))).toEqual(['issued', 'completed', 'cancelled', 'expired']);
});

describe('completion of upload', () => {
  test('is asked for by its name alone: a file named completion can be uploaded', async () => {
    expect(await uploadCompletion(['tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('bash'),
    });
    expect(await uploadCompletion(['--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Usage: upload completion/),
    });
    const asFile = await uploadCompletion(['--file', 'orders']);
    expect(asFile).toMatchObject({ code: 2, stderr: expect.stringContaining('The base URL is missing') });
  });
});
