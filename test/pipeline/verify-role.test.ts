import { readFileSync } from 'node:fs';
import type { Assembly } from 'cloud-assembly-emulator';
import { parse } from 'yaml';
import type { Deployment } from '../../tools/operator/deployment/deployment.ts';
import { describeStack } from '../../tools/operator/deployment/stack-deployment.ts';
import { diagnose } from '../../tools/operator/doctor/diagnose.ts';
import type { Finding } from '../../tools/operator/doctor/finding.ts';
import { forAnySpeed, verify } from '../support/run-verify.ts';
import { useRunningStack } from '../support/use-running-stack.ts';
import { withShortWaits } from '../tools/verify/support.ts';

/** The pipeline verifies a deployment with a separate role. The emulator enforces its policy here. */

const stackName = 'file-sync-prod';

/** The role of .github/aws/pipeline-roles.yaml for this stack, which the emulator's operator may assume. */
function verifyRole(): Readonly<Record<string, unknown>> {
  const text = readFileSync('.github/aws/pipeline-roles.yaml', 'utf8');
  const substitution = { tag: '!Sub', resolve: (value: string) => ({ 'Fn::Sub': value }) };
  const { VerifyRole } = parse(text.replaceAll('file-sync-${Environment}', stackName), {
    customTags: [substitution],
    logLevel: 'error',
  }).Resources;
  const [{ PolicyName, PolicyDocument }] = VerifyRole.Properties.Policies;
  // The emulator does not implement tags, so it cannot tell the secrets of other stacks from the secrets of
  // this stack.
  const Statement = PolicyDocument.Statement.map(
    ({ Condition, ...statement }: Record<string, unknown>) => statement,
  );
  const trust = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: { Ref: 'AWS::AccountId' } } };
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [trust] },
      Policies: [{ PolicyName, PolicyDocument: { ...PolicyDocument, Statement } }],
    },
  };
}

function withVerifyRole(template: Assembly['template']): Assembly['template'] {
  const { Resources, ...rest } = forAnySpeed(template) as { readonly Resources: object };
  return { ...rest, Resources: { ...Resources, VerifyRole: verifyRole() } };
}

const stack = await useRunningStack({ changeTemplate: withVerifyRole, throttled: true });
const role = `arn:aws:iam::${stack.stack.accountId}:role/${stackName}-VerifyRole`;
const awsConfig = {
  ...stack.deployment.awsConfig,
  credentials: stack.credentialsForRole(role, 'pipeline'),
};
const deployment: Deployment = { ...stack.deployment, awsConfig };

/** The emulator's stack does not have outputs, so doctor receives the outputs of the local run. */
async function diagnoseStack(): Promise<readonly Finding[]> {
  await describeStack(stackName, deployment.awsConfig);
  return diagnose(deployment);
}

/** Returns the rejected calls of the role, without those that a check expects to be rejected. */
const rejected = () =>
  stack.awsLog.filter(
    ({ message, session, action }) =>
      message === 'access denied' &&
      session === 'pipeline' &&
      !['kms:Decrypt', 'events:PutEvents'].includes(String(action)),
  );

test('the role of the pipeline may do everything that verify does', async () => {
  // The delivery check creates rules and queues, which the emulator cannot create while it runs.
  const parameters = ['--stack', stackName, '--skip', 'contract,delivery,rotation,revocation'];
  const { code, stdout } = await verify(parameters, {
    openStack: async () => deployment,
    disturb: (service) => ({
      ...withShortWaits(service),
      operator: { ...service.operator, diagnose: diagnoseStack },
    }),
  });
  expect(rejected()).toEqual([]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\nAll checks passed\.\n$/)]);
});
