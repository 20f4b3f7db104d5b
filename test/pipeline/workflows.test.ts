import { access } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { settingNames } from '../../lib/settings.ts';
import { type Job, root, textOf, workflows } from './files.ts';

/** What GitHub runs cannot be run here. These rules hold what a review would look for. */

const all = await workflows();
const jobs = all.flatMap(({ name, jobs: ofOne }) =>
  Object.entries(ofOne).map(([id, job]) => ({ title: `${name}: ${id}`, job })),
);
const steps = jobs.flatMap(({ title, job }) => job.steps.map((step) => ({ title, step })));
const { scripts, engines } = JSON.parse(await textOf('package.json'));

describe('every workflow', () => {
  it('is one of two', () => {
    expect(all.map(({ name }) => name)).toEqual(['check.yml', 'deploy.yml']);
  });

  it('gives no permission but to the jobs that need it', () => {
    expect(all.map(({ permissions }) => permissions)).toEqual([{}, {}]);
    const writing = jobs.flatMap(({ title, job }) =>
      Object.entries(job.permissions).flatMap(([name, access]) =>
        access === 'write' ? [`${title}: ${name}`] : [],
      ),
    );
    expect(writing).toEqual([
      'deploy.yml: diff: id-token',
      'deploy.yml: comment: pull-requests',
      'deploy.yml: deploy: id-token',
    ]);
  });

  it('runs no code of the repository in a job that may write to it', () => {
    const writes = ({ permissions }: Job) =>
      permissions.contents === 'write' || permissions['pull-requests'] === 'write';
    const writers = jobs.filter(({ job }) => writes(job));
    expect(writers).toHaveLength(1);
    for (const { title, job } of writers) {
      expect(
        job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout')),
        title,
      ).toEqual([]);
      expect(job.steps.map(({ run = '' }) => run).join('\n'), title).not.toMatch(/\b(npm|npx|node)\b/);
    }
  });

  it('pins each action to a commit, and names its version', () => {
    const uses = all.flatMap(({ text }) =>
      [...text.matchAll(/^ +(?:- )?uses: (.+)$/gm)].map(([, value = '']) => value),
    );
    expect(uses.length).toBeGreaterThan(10);
    for (const value of uses.filter((one) => one !== './.github/workflows/check.yml')) {
      expect(value).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
    const commits = new Map(uses.map((value) => [value.split('@')[0], value]));
    expect(uses.filter((value) => commits.get(value.split('@')[0]) !== value)).toEqual([]);
  });

  it('takes from events into a shell through variables alone', () => {
    const runs = steps.flatMap(({ step: { run = '' } }) => run);
    expect(runs.filter((run) => run.includes('${{'))).toEqual([]);
  });

  it('has no secret beside the token of its own job, and prints none', () => {
    for (const { name, text } of all) {
      expect(text, name).not.toMatch(/\bsecrets\b|pull_request_target|AWS_SECRET|aws-access-key/);
      expect(text, name).not.toMatch(/set -x|printenv|echo "?\$\{?(GH_TOKEN|AWS_)/);
    }
  });

  it('leaves no credentials of git where code of the repository finds them', () => {
    const checkouts = steps.filter(({ step }) => step.uses?.startsWith('actions/checkout'));
    expect(checkouts.length).toBeGreaterThan(3);
    for (const { title, step } of checkouts) {
      expect(step.with['persist-credentials'], title).toBe(false);
    }
  });

  it('ends by itself, and stops no deployment that has begun', () => {
    for (const { title, job } of jobs.filter(({ job: { uses } }) => uses === undefined)) {
      expect(job['timeout-minutes'], title).toBeLessThanOrEqual(60);
    }
    const onPullRequests = "${{ github.event_name == 'pull_request' }}";
    expect(all.map(({ concurrency }) => concurrency['cancel-in-progress'])).toEqual([
      onPullRequests,
      onPullRequests,
    ]);
  });

  it('runs scripts that exist', async () => {
    const run = steps.map(({ step }) => step.run ?? '').join('\n');
    const named = [...run.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect(new Set(named)).toEqual(new Set(['verify']));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const files = [...run.matchAll(/(?<=^|\s)\.[\w-]+\/[\w./-]+/g)].map(([path]) => path);
    expect(new Set(files)).toEqual(new Set(['.ci/run', '.github/deployments.json']));
    await Promise.all(files.map((path) => access(new URL(path, root))));
  });
});

describe('the check', () => {
  const matrix = jobs.find(({ title }) => title === 'check.yml: check')?.job.strategy?.matrix.node;

  it('runs on the oldest version of Node.js that is supported, and on each later line', async () => {
    expect(matrix).toEqual([engines.node.replace('>=', ''), '22', '24']);
    expect(matrix).toEqual(expect.arrayContaining([expect.stringMatching((await textOf('.nvmrc')).trim())]));
  });

  it('comes before each deployment', () => {
    const check = jobs.find(({ title }) => title === 'deploy.yml: check');
    expect(check?.job.uses).toBe('./.github/workflows/check.yml');
  });
});

describe('the deployments', () => {
  it('each have an environment of their own, a branch that deploys, and settings that exist', async () => {
    const deployments: readonly { environment: string; branch: string; settings: Record<string, unknown> }[] =
      JSON.parse(await textOf('.github/deployments.json'));
    const environments = deployments.map(({ environment }) => environment);
    expect(new Set(environments).size).toBe(environments.length);
    const push = all.find(({ name }) => name === 'deploy.yml')?.on.push;
    expect(push).toEqual({ branches: [...new Set(deployments.map(({ branch }) => branch))] });
    for (const { environment, settings } of deployments) {
      // The name of the stack to verify is made of it.
      expect(['prod', 'dev'], environment).toContain(settings.stage);
      expect(settingNames, environment).toEqual(expect.arrayContaining(Object.keys(settings)));
    }
  });

  it('are verified by the credentials of another role than they are made by', () => {
    const deploy = jobs.find(({ title }) => title === 'deploy.yml: deploy')?.job;
    expect(deploy?.steps.flatMap(({ with: given }) => given['role-to-assume'] ?? [])).toEqual([
      '${{ vars.AWS_DEPLOY_ROLE_ARN }}',
      '${{ vars.AWS_VERIFY_ROLE_ARN }}',
    ]);
    const order = deploy?.steps.flatMap(
      ({ run = '' }) => /verify -- --upgrade|cdk deploy|verify -- --stack/.exec(run)?.[0] ?? [],
    );
    expect(order).toEqual(['verify -- --upgrade', 'cdk deploy', 'verify -- --stack']);
  });
});
