import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { textOf, yamlOf } from './files.ts';

/** The roles that GitHub Actions takes: `.github/aws/pipeline-roles.yaml`. */

const statement = v.object({
  Action: v.union([v.string(), v.array(v.string())]),
  Resource: v.optional(v.unknown()),
  Condition: v.optional(v.record(v.string(), v.record(v.string(), v.unknown()))),
});
const policy = v.object({ Statement: v.array(statement) });
const role = v.object({
  Properties: v.object({
    AssumeRolePolicyDocument: policy,
    Policies: v.array(v.object({ PolicyDocument: policy })),
  }),
});
const template = v.object({
  Outputs: v.record(v.string(), v.object({ Description: v.string() })),
  Resources: v.object({ DiffRole: role, DeployRole: role, VerifyRole: role }),
});

const { Resources, Outputs } = v.parse(template, await yamlOf('.github/aws/pipeline-roles.yaml'));

const actionsOf = ({ Properties }: v.InferOutput<typeof role>) =>
  Properties.Policies.flatMap(({ PolicyDocument }) =>
    PolicyDocument.Statement.flatMap(({ Action }) => Action),
  );

describe('the roles of the pipeline', () => {
  it.each([
    ['DiffRole', '${Environment}-diff'],
    ['DeployRole', '${Environment}'],
    ['VerifyRole', '${Environment}'],
  ] as const)('can be taken by one environment of one repository alone: %s', (name, environment) => {
    const [trust, ...others] = Resources[name].Properties.AssumeRolePolicyDocument.Statement;
    expect(others).toEqual([]);
    // No wildcard: every value must be the same.
    expect(trust?.Condition).toEqual({
      StringEquals: {
        'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
        'token.actions.githubusercontent.com:sub': {
          'Fn::Sub': `repo:\${Repository}:environment:${environment}`,
        },
      },
    });
  });

  it('let a pull request read the template, and nothing else', () => {
    expect(actionsOf(Resources.DiffRole)).toEqual([
      'cloudformation:DescribeStacks',
      'cloudformation:GetTemplate',
    ]);
  });

  it('let a deployment take the roles of the CDK and read the template, and nothing else', () => {
    expect(actionsOf(Resources.DeployRole)).toEqual([
      'sts:AssumeRole',
      'cloudformation:DescribeStacks',
      'cloudformation:GetTemplate',
    ]);
    const [first] = Resources.DeployRole.Properties.Policies[0]?.PolicyDocument.Statement ?? [];
    expect(JSON.stringify(first?.Resource)).not.toMatch(/\*/);
  });

  it('are named in the variables of the workflow', async () => {
    const used = new Set((await textOf('.github/workflows/deploy.yml')).match(/AWS_\w+_ROLE_ARN/g));
    const named = Object.values(Outputs).map(({ Description }) => /AWS_\w+_ROLE_ARN/.exec(Description)?.[0]);
    expect(new Set(named)).toEqual(used);
  });
});
