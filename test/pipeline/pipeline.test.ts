import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../lib/settings.ts';
import { floors } from '../system/mutation/floors.ts';

/** What GitHub and AWS run cannot be run here. These rules hold what a review would look for. */

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const step = v.object({
  uses: v.optional(v.string(), ''),
  run: v.optional(v.string(), ''),
  with: v.optional(v.record(v.string(), v.unknown()), {}),
});
const job = v.object({
  permissions: v.record(v.string(), v.string()),
  strategy: v.optional(v.object({ matrix: v.record(v.string(), v.unknown()) })),
  needs: v.optional(v.union([v.string(), v.array(v.string())]), ''),
  if: v.optional(v.string()),
  steps: v.optional(v.array(step), []),
});
const workflow = v.object({
  on: v.record(v.string(), v.unknown()),
  permissions: v.strictObject({}),
  concurrency: v.optional(v.record(v.string(), v.unknown()), {}),
  jobs: v.record(v.string(), job),
});

const names = ['check', 'deploy', 'deployment', 'nightly'];
const texts = names.map((name) => textOf(`.github/workflows/${name}.yml`));
const [check, deploy, deployment, nightly] = texts.map((text) => v.parse(workflow, parse(text)));
// deploy.yml has jobs of the same names, `check` and `deploy`, which run the other two workflows.
const jobs = { ...deploy?.jobs, ...check?.jobs, ...deployment?.jobs, ...nightly?.jobs };
const steps = Object.values(jobs).flatMap(({ steps }) => steps);
const deployments = v.parse(
  v.array(
    v.object({
      environment: v.string(),
      branch: v.string(),
      settings: v.looseObject({ stage: v.picklist(['prod', 'dev']) }),
    }),
  ),
  JSON.parse(textOf('.github/deployments.json')),
);

it('every action is pinned to one commit, and names its version', () => {
  const uses = texts.flatMap((text) =>
    [...text.matchAll(/^ +(?:- )?uses: ([^.].*)$/gm)].map(([, of = '']) => of),
  );
  expect(uses.length).toBeGreaterThan(10);
  expect(uses.filter((value) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(value))).toEqual([]);
  expect(new Set(uses).size).toBe(new Set(uses.map((value) => value.split('@')[0])).size);
});

it('a job may write only what it must', () => {
  const writing = Object.entries(jobs).flatMap(([id, { permissions }]) =>
    Object.keys(permissions).flatMap((name) => (permissions[name] === 'write' ? [`${id}: ${name}`] : [])),
  );
  expect(writing).toEqual([
    'diff: id-token',
    'comment: pull-requests',
    'deploy: id-token',
    'compare: id-token',
    'verify: id-token',
    'report: issues',
  ]);
});

test.for(['comment', 'report'])('the job %s, which may write, runs no code of the repository', (name) => {
  const commands = jobs[name]?.steps.map(({ uses, run }) => uses + run).join('\n');
  expect(commands).toMatch(/\bgh\b/);
  expect(commands).not.toMatch(/actions\/checkout|\b(npm|npx|node)\b/);
});

describe('each night', () => {
  const runs = v.parse(v.array(v.string()), jobs.long?.strategy?.matrix.run);

  it('each long run of test/README.md runs', () => {
    const [, table = ''] = textOf('test/README.md').split('## What runs long');
    const listed = Array.from(table.matchAll(/^\| `(\w+)` \|/gm), ([, name = '']) => name);
    expect(listed).toContain('uploads');
    expect(new Set(runs.map((run) => run.split(' ')[0]))).toEqual(new Set(listed));
  });

  it('each room that has a floor of mutation is tried', () => {
    const folders = runs
      .filter((run) => run.startsWith('mutation '))
      .flatMap((run) => run.split(' ').slice(1));
    const tried = (room: string) => folders.filter((folder) => `${room}/`.startsWith(`${folder}/`));
    expect(Object.keys(floors).filter((room) => tried(room).length !== 1)).toEqual([]);
  });

  it('begins by itself, and reports what did not succeed', () => {
    expect(nightly?.on.schedule).toHaveLength(1);
    expect(jobs.report?.needs).toBe('long');
    expect(texts[3]).toContain("if: ${{ !cancelled() && needs.long.result != 'success' }}");
  });
});

it('no secret, text of an event or credential of git reaches a shell', () => {
  expect(steps.filter(({ run }) => run.includes('${{'))).toEqual([]);
  expect(texts.join('\n')).not.toMatch(
    /\bsecrets\b|pull_request_target|AWS_SECRET|aws-access-key|set -x|printenv/,
  );
  const checkouts = steps.filter(({ uses }) => uses.startsWith('actions/checkout'));
  expect(checkouts.length).toBeGreaterThan(3);
  expect(checkouts.filter((one) => one.with['persist-credentials'] !== false)).toEqual([]);
});

it('the check runs on each supported line of Node.js', () => {
  const { engines } = JSON.parse(textOf('package.json'));
  expect(jobs.check?.strategy?.matrix.node).toEqual([engines.node.replace('>=', ''), '22', '24']);
});

it('each deployment has an environment, a branch and settings', () => {
  expect(new Set(deployments.map(({ environment }) => environment)).size).toBe(deployments.length);
  expect(deploy?.on.push).toEqual({ branches: [...new Set(deployments.map(({ branch }) => branch))] });
  const names = deployments.flatMap((deployment) => Object.keys(deployment.settings));
  expect(names.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
});

it('a deployment is checked and compared before, verified after', () => {
  expect(texts[1]).toContain('uses: ./.github/workflows/check.yml');
  expect(deploy?.jobs.deploy?.needs).toEqual(['check', 'plan']);
  const needs = Object.entries(deployment?.jobs ?? {}).map(([id, { needs }]) => [id, needs]);
  expect(needs).toEqual([
    ['synthesize', ''],
    ['compare', 'synthesize'],
    ['deploy', 'compare'],
    ['verify', 'deploy'],
  ]);
});

test.for([
  ['check', '.ci/run'],
  ['compare', 'npm run -s verify -- --upgrade --stack "$STACK"'],
  ['verify', 'npm run -s verify -- --stack "$STACK" --skip rotation,revocation'],
  ['long', 'npm run test:system -- $RUN'],
] as const)('the job %s succeeds only if this does: %s', ([name, command]) => {
  expect(jobs[name]?.steps.at(-1)?.run).toBe(command);
});

it('a deployment is never stopped halfway, and a fork gets no credentials', () => {
  expect(deploy?.concurrency['cancel-in-progress']).toBe("${{ github.event_name == 'pull_request' }}");
  expect(deploy?.jobs.plan?.if).toContain(
    "(github.event_name != 'pull_request' || github.event.pull_request.head.repo.full_name == github.repository)",
  );
});

it('the job that may deploy runs only the command of the CDK', () => {
  expect(jobs.deploy?.steps.flatMap(({ run }) => (run === '' ? [] : [run]))).toEqual([
    'npm ci --ignore-scripts --omit=dev --workspaces=false --no-audit --no-fund',
    'npx --no-install cdk deploy --app cdk.out --require-approval never --ci',
  ]);
});

const policy = v.object({
  Statement: v.array(
    v.object({
      Action: v.union([v.string(), v.array(v.string())]),
      Resource: v.optional(v.unknown()),
      Condition: v.optional(v.unknown()),
    }),
  ),
});
const role = v.object({
  Properties: v.object({
    AssumeRolePolicyDocument: policy,
    Policies: v.array(v.object({ PolicyDocument: policy })),
  }),
});

const { Resources } = v.parse(
  v.object({ Resources: v.object({ DiffRole: role, DeployRole: role, VerifyRole: role }) }),
  parse(textOf('.github/aws/pipeline-roles.yaml'), { logLevel: 'error' }),
);

it.for([
  ['DiffRole', '${Environment}-diff'],
  ['DeployRole', '${Environment}'],
  ['VerifyRole', '${Environment}-verify'],
] as const)('%s is taken by the environment %s only', ([name, environment]) => {
  const { Statement } = Resources[name].Properties.AssumeRolePolicyDocument;
  expect(Statement.map(({ Condition }) => Condition)).toEqual([
    {
      // No wildcard: every value must be the same.
      StringEquals: {
        'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
        'token.actions.githubusercontent.com:sub': `repo:\${Repository}:environment:${environment}`,
      },
    },
  ]);
});

const statementsOf = ({ Properties }: v.InferOutput<typeof role>) =>
  Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
const actionsOf = (of: v.InferOutput<typeof role>) => statementsOf(of).flatMap(({ Action }) => Action);

it('the role that verifies changes only what a run makes', () => {
  expect(
    actionsOf(Resources.VerifyRole).filter((action) => !/:(Describe|List|Get|BatchGet)/.test(action)),
  ).toEqual([
    'dynamodb:Query',
    'dynamodb:Scan',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    's3:PutObject',
    's3:PutObjectTagging',
    'lambda:InvokeFunction',
    'sqs:CreateQueue',
    'sqs:DeleteQueue',
    'sqs:ReceiveMessage',
    'sqs:SetQueueAttributes',
    'events:DeleteRule',
    'events:PutRule',
    'events:PutTargets',
    'events:RemoveTargets',
    'events:PutEvents',
  ]);
});

it('the role that verifies reaches only this stack, but for metrics', () => {
  const wide = statementsOf(Resources.VerifyRole).filter(({ Resource, Condition }) => {
    const tag = Object(Condition).StringEquals?.['aws:ResourceTag/aws:cloudformation:stack-name'];
    return tag !== 'StackName' && [Resource].flat().some((arn) => !String(arn).includes('${StackName}'));
  });
  expect(wide.map(({ Action }) => Action)).toEqual([
    ['cloudwatch:DescribeAlarms', 'cloudwatch:GetMetricData'],
  ]);
});

it('the roles that read and deploy may do no more', () => {
  const reading = ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'];
  expect(actionsOf(Resources.DiffRole)).toEqual(reading);
  expect(actionsOf(Resources.DeployRole)).toEqual(['sts:AssumeRole']);
  expect(JSON.stringify(statementsOf(Resources.DeployRole)[0]?.Resource)).not.toMatch(/\*/);
});
