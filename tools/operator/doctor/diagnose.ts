import { outputNames } from '../../../lib/stack-outputs.ts';
import type { AwsConfig, Deployment } from '../deployment/deployment.ts';
import { describeStack, readOutputs } from '../deployment/stack-deployment.ts';
import { listSigningKeys } from '../signing-keys.ts';
import { checkCredentials, checkRegion, identify } from './account.ts';
import { checkAlarms } from './alarms.ts';
import { checkApi } from './api.ts';
import { checkDeadLetters } from './dead-letters.ts';
import { type Check, examine, type Finding, notChecked, type Outcome, ok } from './finding.ts';
import { checkKeyRotation, checkSigningKeys } from './keys.ts';
import { checkStack } from './stack.ts';

/** What to check: a local run, which was found, or a stack, which may have any fault. */
export type Patient =
  | { readonly kind: 'local'; readonly deployment: Deployment }
  | { readonly kind: 'stack'; readonly name: string; readonly awsConfig: AwsConfig };

/**
 * Checks whatever can make a deployment fail. Each check is independent: an error in one, such as a missing permission,
 * does not hide the others.
 *
 * @param now a clock in milliseconds since the epoch
 * @returns one finding for each check, in their order
 */
export async function diagnose(patient: Patient, now: () => number = Date.now): Promise<readonly Finding[]> {
  const isLocal = patient.kind === 'local';
  const awsConfig = isLocal ? patient.deployment.awsConfig : patient.awsConfig;
  const stackName = isLocal ? patient.deployment.stackName : patient.name;
  const identity = await identify(awsConfig);
  const lacksCredentials = !isLocal && 'error' in identity.caller;

  const stack = isLocal || lacksCredentials ? undefined : describeStack(stackName, awsConfig);
  const outputs = isLocal
    ? Promise.resolve(patient.deployment.outputs)
    : stack?.then((described) => readOutputs(described, stackName));
  // The checks of the stack and its outputs tell of an error: without these, it would end the process.
  const isSeen = await settles(stack);
  const isReadable = await settles(outputs);

  const check = (name: Check, run: () => Outcome | Promise<Outcome>): Promise<Finding> =>
    lacksCredentials && !['region', 'credentials'].includes(name)
      ? Promise.resolve({ check: name, ...notChecked('This needs working AWS credentials.') })
      : examine(name, run);
  const checkResource = (name: Check, run: (deployment: Deployment) => Outcome | Promise<Outcome>) =>
    check(name, async () =>
      isReadable && outputs !== undefined
        ? run({ stackName, outputs: await outputs, awsConfig })
        : notChecked('This needs the outputs of the stack.'),
    );
  return Promise.all([
    check('region', () => checkRegion(identity)),
    check('credentials', () => checkCredentials(identity)),
    check('stack', async () =>
      stack === undefined
        ? notChecked('A local run has no stack in CloudFormation.')
        : checkStack(await stack),
    ),
    check('outputs', async () => {
      if (!isLocal && !isSeen) {
        return notChecked('This needs the stack.');
      }
      await outputs;
      return ok(
        `All ${outputNames.length} outputs of ${isLocal ? 'the local run' : `the stack ${stackName}`} are there.`,
      );
    }),
    checkResource('signing keys', async (deployment) =>
      checkSigningKeys(await listSigningKeys(deployment), now()),
    ),
    checkResource('key rotation', async (deployment) =>
      checkKeyRotation(deployment, await listSigningKeys(deployment).catch(() => undefined), now()),
    ),
    check('alarms', () => checkAlarms({ stackName, awsConfig }, isLocal)),
    checkResource('dead letters', checkDeadLetters),
    checkResource('api', ({ outputs }) => checkApi(outputs, now)),
  ]);
}

async function settles(promise: Promise<unknown> | undefined): Promise<boolean> {
  try {
    await promise;
    return promise !== undefined;
  } catch {
    return false;
  }
}
