import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { parse } from 'yaml';
import { settings } from '../../lib/settings.ts';
import { runProcess } from '../support/run-process.ts';
import { floors } from '../system/mutation/floors.ts';
import { scoreOf } from '../system/mutation/score.ts';

/** GitHub and AWS cannot run here. These rules replace a review of the workflows and roles. */

const textOf = (path: string) => readFileSync(path, 'utf8');

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly needs?: string | readonly string[];
  readonly if?: string;
  /** Workflow that runs as this job. Its own jobs have the time limits. */
  readonly uses?: string;
  readonly 'timeout-minutes'?: number;
  readonly steps?: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

const names = ['check', 'deploy', 'deployment', 'nightly', 'release'] as const;
const [check, deploy, deployment, nightly, release] = names.map((name) =>
  parse(textOf(`.github/workflows/${name}.yml`)),
);
// deploy.yml contains two jobs with the same names, `check` and `deploy`, which run the other two workflows.
const jobs: Readonly<Record<string, Job>> = {
  ...release.jobs,
  ...deploy.jobs,
  ...check.jobs,
  ...deployment.jobs,
  ...nightly.jobs,
};
const stepsOf = (name: string) => jobs[name]?.steps ?? [];
const runsOf = (name: string) => stepsOf(name).flatMap(({ run = [] }) => run);

it('a job has only the write permissions that it needs', () => {
  const writing = Object.entries(jobs).flatMap(([id, { permissions }]) =>
    Object.keys(permissions).flatMap((name) => (permissions[name] === 'write' ? [`${id}: ${name}`] : [])),
  );
  expect(writing).toEqual([
    'publish: contents',
    'template: id-token',
    'comment: pull-requests',
    'deploy: id-token',
    'compare: id-token',
    'verify: id-token',
    'report: issues',
  ]);
});

it('each job has a time limit', () => {
  const workflows = [check, deploy, deployment, nightly, release];
  const all = workflows.flatMap((workflow) => Object.entries<Job>(workflow.jobs));
  const limited = all.filter(([, job]) => job.uses ?? job['timeout-minutes']);
  expect(limited.map(([id]) => id)).toEqual(all.map(([id]) => id));
});

test.for(['comment', 'report', 'publish'])(
  'the job %s, which may write, runs no code of the repository',
  (name) => {
    expect(runsOf(name).join('\n')).toMatch(/\bgh\b/);
    expect(JSON.stringify(stepsOf(name))).not.toMatch(/actions\/checkout|\b(npm|npx|node)\b/);
  },
);

test('a release needs a tag with the version of package.json', async () => {
  const env = { PATH: String(process.env.PATH), TAG: 'v99.0.0' };
  const run = await runProcess('bash', ['-e', '-c', runsOf('build').at(-1) ?? ''], { env });
  expect(run).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('The tag is v99.0.0, but'),
  });
});

describe('each night', () => {
  const runs: readonly string[] = nightly.jobs.long.strategy.matrix.run;

  it('each long run of test/README.md runs', () => {
    const [, table = ''] = textOf('test/README.md').split('## What runs long');
    const listed = Array.from(table.matchAll(/^\| `(\w+)` \|/gm), ([, name = '']) => name);
    expect(listed).toContain('uploads');
    expect(new Set(runs.map((run) => run.split(' ')[0]))).toEqual(new Set(listed));
  });

  it('each folder with a mutation floor is mutated', () => {
    const folders = runs
      .filter((run) => run.startsWith('mutation '))
      .flatMap((run) => run.split(' ').slice(1));
    const tried = (room: string) => folders.filter((folder) => `${room}/`.startsWith(`${folder}/`));
    expect(Object.keys(floors).filter((room) => tried(room).length !== 1)).toEqual([]);
  });

  it('code that no test runs lowers the score of a room', () => {
    const score = scoreOf({ mutants: 100, uncovered: 20, tested: 40, detected: 30 });
    expect(score).toEqual({ score: 60, standardError: expect.closeTo(3.87) });
  });

  it('starts on a schedule, and reports failures', () => {
    expect(nightly.on.schedule).toHaveLength(1);
    expect(jobs.report?.needs).toEqual(['long', 'workflows']);
    expect(jobs.report?.if).toBe(
      "${{ !cancelled() && (needs.long.result != 'success' || needs.workflows.result != 'success') }}",
    );
  });
});

describe('the check', () => {
  const lines: readonly string[] = check.jobs.check.strategy.matrix.node;

  it('runs on each supported line of Node.js', () => {
    const { engines } = JSON.parse(textOf('package.json'));
    expect(lines).toEqual([engines.node.replace('>=', ''), '22', '24', '26']);
  });

  it('runs on the line of the functions', () => {
    expect(lines).toContain(/NODEJS_(\d+)_X/.exec(textOf('lib/service-function.ts'))?.[1]);
  });

  it.for(['README.md', 'docs/deployment.md'])('runs on the lines that %s names', (page) => {
    const [named] = /on Node\.js 20.* and \d+/.exec(textOf(page)) ?? [];
    expect(named?.match(/\d[\d.]*/g)).toEqual(lines.map((line) => line.replace('.0', '')));
  });
});

it('each branch that deploys starts the workflow, with settings that exist', async () => {
  const list: readonly { readonly branch: string; readonly settings: object }[] = JSON.parse(
    textOf('.github/deployments.json'),
  );
  expect(deploy.on.push).toEqual({ branches: [...new Set(list.map(({ branch }) => branch))] });
  expect(await plan(list)).toMatchObject({ code: 0, stderr: '' });
  const names = list.flatMap((one) => Object.keys(one.settings));
  expect(names.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
});

/** Reads a list of deployments with the script of the workflow. */
async function plan(list: readonly object[], ref = 'refs/heads/main') {
  const path = join(await temporaryFolder(), 'deployments.json');
  await writeFile(path, JSON.stringify(list));
  return runProcess(process.execPath, ['.ci/deployments.mjs', ref, path]);
}

const dev = { environment: 'dev', account: '111122223333', branch: 'main', settings: {} };
const prod = { environment: 'prod', account: '444455556666', branch: 'main', settings: {} };

it('an environment deploys the stage of its name', async () => {
  const { stdout } = await plan([{ ...dev, branch: 'release' }, prod]);
  expect(JSON.parse(stdout)).toEqual([
    { environment: 'prod', account: '444455556666', settings: { stage: 'prod' } },
  ]);
});

it('a tag with the name of a branch deploys nothing', async () => {
  expect((await plan([prod], 'refs/tags/main')).stdout).toBe('[]\n');
});

test.for<[string, object[], string]>([
  ['another stage', [{ ...dev, settings: { stage: 'prod' } }], 'The settings of "dev" contain a stage.'],
  ['another environment', [{ ...dev, environment: 'test' }], 'There is no environment "test".'],
  ['an environment twice', [dev, { ...prod, environment: 'dev' }], 'The list has "dev" twice.'],
  ['no account', [{ ...dev, account: 111122223333 }], 'The account of "dev" is not a text of 12 digits'],
  [
    'an account twice, also of another branch',
    [dev, { ...prod, branch: 'release', account: dev.account }],
    'The account of "prod" is the account of "dev", so each could deploy the other.',
  ],
])('nothing is deployed by a list with %s', async ([, list, text]) => {
  expect(await plan(list)).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(text) });
});

test.for([
  ['deploy', ['synthesize', 'compare']],
  ['verify', ['synthesize', 'deploy']],
] as const)('the job %s waits for %j', ([name, needs]) => {
  expect(jobs[name]?.needs).toEqual(needs);
  expect(deploy.jobs.deploy.needs).toEqual(['check', 'plan']);
});

test.for([
  ['template', [expect.stringMatching(/^aws cloudformation get-template /)]],
  ['compare', ['node dist/verify/bin/verify.mjs --upgrade --stack "$STACK"']],
  [
    'deploy',
    [
      'npm ci --ignore-scripts --omit=dev --workspaces=false --no-audit --no-fund',
      'npx --no-install cdk deploy "$STACK" --app cdk.out --require-approval never --ci',
    ],
  ],
  ['verify', ['node dist/verify/bin/verify.mjs --stack file-sync-dev --skip contract,rotation,revocation']],
] as const)('beside a token, the job %s runs only %j', ([name, commands]) => {
  expect(runsOf(name)).toEqual(commands);
});

test.for([
  ['check', '.ci/run'],
  ['long', 'npm run test:system -- $RUN'],
] as const)('the job %s succeeds only if this does: %s', ([name, command]) => {
  expect(runsOf(name).at(-1)?.trim().split('\n').at(-1)).toBe(command);
});

test.for(['compare', 'deploy', 'verify'])('the job %s downloads the output of synthesize', (name) => {
  const download = stepsOf(name).find(({ uses }) => uses?.startsWith('actions/download-artifact'));
  expect(download?.with).toEqual({ 'artifact-ids': '${{ needs.synthesize.outputs.artifact }}' });
});

it('a deployment is never stopped halfway, and a fork gets no credentials', () => {
  expect(deploy.concurrency['cancel-in-progress']).toBe("${{ github.event_name == 'pull_request' }}");
  expect(jobs.plan?.if).toContain(
    "(github.event_name != 'pull_request' || github.event.pull_request.head.repo.full_name == github.repository)",
  );
});

/**
 * Runs the last command of a job in a folder, as GitHub does, with a test program instead of another program.
 */
async function runLast(name: string, folder: string, program: string, text: string) {
  await writeFile(join(folder, program), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}`, STACK: 'file-sync-dev', NUMBER: '1' };
  return runProcess('bash', ['-e', '-c', runsOf(name).at(-1) ?? ''], { cwd: folder, env });
}

test.for([
  ['is compared with what is deployed', `echo '{"Resources":{}}'`, 0, '{"Resources":{}}\n'],
  ['is compared with nothing before the first deployment', 'echo "x does not exist" >&2; exit 1', 0, '{}\n'],
  ['is not compared if the template cannot be read', 'echo AccessDenied >&2; exit 1', 1, ''],
] as const)('a pull request %s', async ([, aws, code, template]) => {
  const folder = await temporaryFolder();
  expect((await runLast('template', folder, 'aws', aws)).code).toBe(code);
  expect(await readFile(join(folder, 'template.json'), 'utf8')).toBe(template);
});

it('the comment is plain text, whatever the diff contains', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'diff'));
  const breaks = ['\n', '\r', '\r\n', '\n\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];
  const diff = breaks.map((one) => `├ é @someone${one}# <b>\`\`\`[x](https://example.com)`).join('');
  await writeFile(join(folder, 'diff/dev.txt'), diff);
  await writeFile(join(folder, 'diff/prod.txt'), 'x'.repeat(70_000));
  await writeFile(join(folder, 'diff/# other.txt'), 'text');
  expect((await runLast('comment', folder, 'gh', '')).code).toBe(0);
  const comment = await readFile(join(folder, 'comment.md'), 'utf8');
  const lines = comment.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  expect(lines.filter((line) => line !== '' && !line.startsWith('    '))).toEqual([
    '### What a deployment to dev would change',
    '### What a deployment to prod would change',
  ]);
  expect(lines.slice(1, 3)).toEqual(['', '    ├ é @someone']);
  expect(comment.length).toBeLessThan(65_536);
});

it('the program that compares and verifies needs no package', async () => {
  const folder = await temporaryFolder();
  const commands = runsOf('synthesize').at(-1) ?? '';
  const made = await runProcess('bash', ['-e', '-c', commands.replaceAll('dist/verify', folder)]);
  expect(made.code).toBe(0);
  const parameters = ['bin/verify.mjs', '--upgrade', '--stack', 'file-sync-prod'];
  const run = await runProcess(process.execPath, parameters, { cwd: folder });
  expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('npx cdk synth') });
});
