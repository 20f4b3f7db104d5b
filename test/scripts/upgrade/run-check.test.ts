import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CheckReport } from '../../../scripts/upgrade/check.ts';
import { renderReport } from '../../../scripts/upgrade/report.ts';
import { runCheck } from '../../../scripts/upgrade/run-check.ts';
import { releasedFolder } from '../../../scripts/upgrade/stored-items.ts';
import { git } from './git.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What the check needs of the project. */
const needed = [
  ...['bin/app.ts', 'cdk.json', 'package.json', 'package-lock.json', 'tsconfig.json'],
  ...['cli', 'contract', 'lambdas', 'lib', 'scripts', 'storage', releasedFolder, 'test/support/quiet-sdk.ts'],
];

let folder: string;
/** A repository with this version of the project as its only commit. */
let project: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-upgrade-test-'));
  project = join(folder, 'project');
  for (const path of needed) {
    await cp(join(root, path), join(project, path), { recursive: true });
  }
  await git(project, 'init', '-q');
  await git(project, 'add', '-A');
  await git(project, 'commit', '-q', '-m', 'Version');
  await symlink(join(root, 'node_modules'), join(project, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the check of the project's own copy, with a folder for temporary files that is empty afterwards. */
async function check(...parameters: readonly string[]): Promise<Run> {
  const temporary = await mkdtemp(join(folder, 'temporary-'));
  const run = await new Promise<Run>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', 'tsx', 'scripts/check-upgrade.ts', ...parameters],
      { cwd: project, env: { ...process.env, TMPDIR: temporary } },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
  const left = await readdir(temporary);
  expect(left.filter((name) => name.startsWith('file-sync-'))).toEqual([]);
  return run;
}

async function edit(file: string, find: string, replace: string): Promise<void> {
  const path = join(project, file);
  const source = await readFile(path, 'utf8');
  expect(source.split(find)).toHaveLength(2);
  await writeFile(path, source.replace(find, replace));
}

// Each run synthesizes four templates.
describe('the command', { timeout: 240_000 }, () => {
  test('passes from a version to itself, with the settings that it is given', async () => {
    const run = await check(
      '--from',
      'HEAD',
      '--context',
      'tokenLifetimeSeconds=600',
      '--context',
      'supersededRetentionDays=9',
    );
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).toMatch(
      /^An update from HEAD \([0-9a-f]{12}\) to this checkout loses nothing\.\nCompared \d{2,} resources of prod and \d{2,} of dev; read the stored items of 0\.0\.0 \(\d{2,}\)\.\n$/,
    );
    expect(run.stderr).toContain('Synthesizing dev of HEAD and of this checkout ...\n');
    expect(run.stderr).not.toContain('npm ci');
  });

  test('names everything that an update would lose', async () => {
    await edit(
      'lib/file-sync-stack.ts',
      "new ClientsTable(this, 'Clients',",
      "new ClientsTable(this, 'People',",
    );
    await edit('storage/file.ts', "partitionKey: 'file_id',", "partitionKey: 'id',");
    await edit('cli/deployment/stack-outputs.ts', "  'DeadLetterQueueUrl',\n", '');
    await edit(
      'storage/client.ts',
      'const clientEntries = {\n',
      'const clientEntries = {\n  region: textAttribute,\n',
    );
    const run = await check('--from', 'HEAD', '--json');
    expect(run).toMatchObject({ code: 1 });
    const { findings } = JSON.parse(run.stdout) as CheckReport;
    const short = findings.map(({ kind, subject, stages }) => `${kind}: ${subject} ${stages.join()}`);
    expect(new Set(short)).toEqual(
      new Set([
        'resource removed: ClientsTable5BB59C73 prod,dev',
        'resource replaced: FilesTableBFDD0A3F prod,dev',
        'output removed: DeadLetterQueueUrl prod,dev',
        `items not readable: ${releasedFolder}/0.0.0/clients.json `,
        `items not readable: ${releasedFolder}/0.0.0/files.json `,
      ]),
    );
    await git(project, 'checkout', '-q', '.');
  });

  test('says so when there is no release yet', async () => {
    const run = await check('--from', 'last-release');
    expect(run).toEqual({
      code: 0,
      stdout: 'Nothing was checked: no release has been tagged yet.\n',
      stderr: '',
    });
  });

  test('says what cannot be synthesized', async () => {
    const run = await check('--from', 'HEAD', '--context', 'supersededRetentionDays=never');
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('error: The stage prod of HEAD cannot be synthesized');
    expect(run.stderr).toContain('supersededRetentionDays');
  });
});

test('a defect of the check does not look like a finding', async () => {
  await rm(join(project, 'cdk.json'));
  const run = await check('--from', 'HEAD');
  await git(project, 'checkout', '-q', '.');
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(/error: .*ENOENT.*cdk\.json/);
}, 240_000);

describe('parameters', () => {
  async function run(...parameters: readonly string[]) {
    const printed = { stdout: '', stderr: '' };
    const code = await runCheck(parameters, {
      root: project,
      stdout: (text) => {
        printed.stdout += text;
      },
      stderr: (text) => {
        printed.stderr += text;
      },
      signal: new AbortController().signal,
    });
    return { code, ...printed };
  }

  test.each([
    [[], 'error: --from is missing.'],
    [['--from', ''], 'error: --from is missing.'],
    [['--to', 'HEAD'], "error: Unknown option '--to'"],
    [['--from', 'HEAD', 'more'], 'error: Unexpected argument'],
    [['--from', 'HEAD', '--context', 'logLevel'], 'error: --context logLevel is not of the form NAME=VALUE.'],
    [['--from', 'HEAD', '--context', 'stage=dev'], 'error: --context stage is not needed'],
    [['--from', 'v9.9.9'], 'error: There is no version v9.9.9 in this repository'],
  ])('that are wrong exit 2: %j', async (parameters, message) => {
    const outcome = await run(...parameters);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(message);
  });

  test('are explained by --help', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, stderr: '' });
    expect((await run('--help')).stdout).toContain('--context NAME=VALUE');
  });

  test('of a check that is stopped exit 130', async () => {
    const signal = AbortSignal.abort();
    const nothing = () => undefined;
    expect(
      await runCheck(['--from', 'HEAD'], { root: project, stdout: nothing, stderr: nothing, signal }),
    ).toBe(130);
  });
});

test('a finding says what changes, why that loses something, and what to do', () => {
  const text = renderReport({
    from: 'v1.0.0',
    commit: '0123456789abcdef',
    resources: { prod: 60, dev: 62 },
    items: [],
    findings: [
      {
        kind: 'output removed',
        subject: 'A',
        stages: ['prod', 'dev'],
        what: 'It goes.',
        why: 'It is read.',
        next: 'Keep it.',
      },
    ],
  });
  expect(
    text,
  ).toBe(`An update from v1.0.0 (0123456789ab) to this checkout loses data or breaks something: 1 finding.
Compared 60 resources of prod and 62 of dev; v1.0.0 recorded no stored items, so that none were read.

output removed: A (prod, dev)
  What  It goes.
  Why   It is read.
  Next  Keep it.
`);
});
