import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Roles of the deploy workflow. These tests cannot call AWS. */

interface Policy {
  readonly Statement: readonly {
    readonly Action: string | readonly string[];
    readonly Resource?: unknown;
    readonly Condition?: { readonly StringEquals: Readonly<Record<string, unknown>> };
  }[];
}
interface Role {
  readonly Condition?: string;
  readonly Properties: {
    readonly RoleName: string;
    readonly AssumeRolePolicyDocument: Policy;
    readonly Policies: readonly { readonly PolicyDocument: Policy }[];
  };
}

const { Resources, Conditions, Parameters } = parse(readFileSync('.github/aws/pipeline-roles.yaml', 'utf8'), {
  logLevel: 'error',
});
const { GitHub, ...roles }: Readonly<Record<string, Role>> = Resources;
const statementsOf = (name: string) =>
  roles[name]?.Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) ?? [];

test.for([
  ['DiffRole', '${Environment}-diff'],
  ['DeployRole', '${Environment}'],
  ['VerifyRole', '${Environment}-verify'],
] as const)('%s is taken by the environment %s only', ([name, environment]) => {
  const Statement = roles[name]?.Properties.AssumeRolePolicyDocument.Statement;
  expect(Statement?.map(({ Condition }) => Condition)).toEqual([
    {
      // Without wildcards: every value must be equal.
      StringEquals: {
        'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
        'token.actions.githubusercontent.com:repository_id': 'RepositoryId',
        'token.actions.githubusercontent.com:sub': [
          `repo:\${Owner}/\${Repository}:environment:${environment}`,
          `repo:\${Owner}@\${OwnerId}/\${Repository}@\${RepositoryId}:environment:${environment}`,
        ],
      },
    },
  ]);
});

test('the role that verifies exists in dev only, and reaches only its stack, but for metrics', () => {
  const stack = 'file-sync-${Environment}';
  expect(roles.VerifyRole?.Condition).toBe('IsDev');
  expect(Conditions.IsDev).toEqual(['Environment', 'dev']);
  const wide = statementsOf('VerifyRole').filter(({ Resource, Condition }) => {
    const tag = Condition?.StringEquals['aws:ResourceTag/aws:cloudformation:stack-name'];
    return tag !== stack && [Resource].flat().some((arn) => !String(arn).includes(stack));
  });
  expect(wide.map(({ Action }) => Action)).toEqual([
    ['cloudwatch:DescribeAlarmHistory', 'cloudwatch:DescribeAlarms', 'cloudwatch:GetMetricData'],
  ]);
});

test('an account has the roles of one environment, because their names are fixed', () => {
  expect(Object.values(roles).map(({ Properties }) => Properties.RoleName)).toEqual(
    ['diff', 'deploy', 'verify'].map((name) => `file-sync-pipeline-${name}`),
  );
});

test('the roles that read and deploy may do no more', () => {
  expect(statementsOf('DiffRole').map(({ Action }) => Action)).toEqual([
    ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
  ]);
  expect(statementsOf('DeployRole').map(({ Action }) => Action)).toEqual(['sts:AssumeRole']);
  expect(JSON.stringify(statementsOf('DeployRole')[0]?.Resource)).not.toMatch(/\*/);
});

test('the page sets each parameter without a default', () => {
  const page = readFileSync('docs/deployment.md', 'utf8');
  const [, given = ''] = /--parameter-overrides (.*)/.exec(page) ?? [];
  const required = Object.keys(Parameters).filter((name) => Parameters[name].Default === undefined);
  expect(given.split(' ').map((text) => text.split('=')[0])).toEqual(required);
});
