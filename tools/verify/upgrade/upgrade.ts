import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cloudFormationClient } from '../../operator/deployment/aws-clients.ts';
import type { AwsConfig } from '../../operator/deployment/deployment.ts';
import { describeStack } from '../../operator/deployment/stack-deployment.ts';
import { messageOf, NotFound } from '../../operator/errors.ts';
import { quoted } from '../../operator/text.ts';
import { UsageError } from '../../terminal/errors.ts';
import type { TextStream } from '../../terminal/output.ts';
import { lossesOf, type StackVersion, type Template } from './losses.ts';

interface UpgradeOptions {
  /** Name of the deployed stack. */
  readonly name: string;
  /** Folder from `npx cdk synth`, with the settings of the deployment. */
  readonly assembly: string;
  readonly awsConfig: AwsConfig;
  readonly stdout: TextStream;
}

/**
 * Compares a deployed stack with the synthesized version, and reports the losses of an update.
 *
 * @returns true if the update may be deployed
 * @throws {UsageError} if the folder contains no such stack
 */
export async function checkUpgrade({ name, assembly, awsConfig, stdout }: UpgradeOptions): Promise<boolean> {
  const after = await synthesizedStack(assembly, name);
  const before = await deployedStack(name, awsConfig);
  const { mtime } = await stat(join(assembly, 'manifest.json'));
  const say = (text: string) => void stdout.write(`${text}\n`);
  say(`Stack ${name} compared with ${assembly}, which was synthesized at ${mtime.toISOString()}.`);
  if (typeof before === 'string') {
    say(`${before} So there is nothing to lose.`);
    return true;
  }
  const losses = lossesOf(name, before, after);
  for (const { subject, what, why, next } of losses) {
    say(`\n${subject}\n  What: ${what}\n  Why not: ${why}\n  Do: ${next}`);
  }
  say(
    losses.length === 0
      ? `Nothing would be lost. Deploy it: npx cdk deploy --app ${assembly}\nThe contract of the API was not checked: npm test checks it.`
      : `\nDo not deploy this: ${losses.length === 1 ? 'one finding' : `${losses.length} findings`}.`,
  );
  return losses.length === 0;
}

async function synthesizedStack(assembly: string, name: string): Promise<StackVersion> {
  const { CloudAssembly } = await import('aws-cdk-lib/cx-api');
  const stacks = await stat(join(assembly, 'manifest.json')).then(
    () => new CloudAssembly(assembly).stacksRecursively,
    () => [],
  );
  const stack = stacks.find(({ stackName }) => stackName === name);
  if (stack === undefined) {
    const found = stacks.map(({ stackName }) => stackName).join(', ') || 'no stack';
    throw new UsageError(
      `${assembly} contains ${found}, and not ${quoted(name)}. Synthesize the app first, with the settings of the deployment: npx cdk synth -q -c stage=prod`,
    );
  }
  return { template: stack.template, terminationProtection: stack.terminationProtection === true };
}

/** States of a stack without data. The CDK deletes such a stack before it deploys. */
const neverComplete = ['REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'DELETE_COMPLETE'];

/** Returns the stack, or the reason why it does not exist. */
async function deployedStack(name: string, awsConfig: AwsConfig): Promise<StackVersion | string> {
  const stack = await describeStack(name, awsConfig).catch((error: unknown) => {
    if (!(error instanceof NotFound)) {
      throw error;
    }
    return messageOf(error);
  });
  if (typeof stack === 'string') {
    return stack;
  }
  if (neverComplete.includes(stack.StackStatus ?? '')) {
    return `The stack is ${stack.StackStatus}: it was never complete.`;
  }
  const client = await cloudFormationClient({ awsConfig });
  try {
    const { TemplateBody = '{}' } = await client.getTemplate({ StackName: name });
    const template: Template = JSON.parse(TemplateBody);
    return { template, terminationProtection: stack.EnableTerminationProtection === true };
  } finally {
    client.destroy();
  }
}
