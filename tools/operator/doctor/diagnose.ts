import { outputNames } from '../../../lib/stack-outputs.ts';
import type { AwsConfig, Deployment } from '../deployment/deployment.ts';
import { describeStack, readOutputs } from '../deployment/stack-deployment.ts';
import { listSigningKeys } from '../signing-keys.ts';
import { checkCredentials, checkRegion, type Identity, identify, lacksCredentials } from './account.ts';
import { checkAlarms } from './alarms.ts';
import { checkApi } from './api.ts';
import { checkClock } from './clock.ts';
import { checkDeadLetters } from './dead-letters.ts';
import { type Check, checks, examine, type Finding, notChecked, type Outcome, ok } from './finding.ts';
import { checkKeyRotation, checkSigningKeys } from './keys.ts';
import { checkStack } from './stack.ts';

/** What to check: a local run, which was found, or a stack, which may have any fault. */
export type Patient =
  | { readonly kind: 'local'; readonly deployment: Deployment }
  | { readonly kind: 'stack'; readonly name: string; readonly awsConfig: AwsConfig };

/** A clock in milliseconds since the epoch. */
type Now = () => number;

/**
 * Checks whatever can make a deployment fail. Each check is independent: an error in one, such as a missing permission,
 * does not hide the others.
 *
 * @returns one finding for each check, in their order
 */
export async function diagnose(patient: Patient, now: Now = Date.now): Promise<readonly Finding[]> {
  const awsConfig = patient.kind === 'local' ? patient.deployment.awsConfig : patient.awsConfig;
  const identity = await identify(awsConfig, now);
  const account: readonly Finding[] = await Promise.all([
    examine('region', async () => checkRegion(identity)),
    examine('credentials', async () => checkCredentials(identity)),
    examine('clock', async () =>
      patient.kind === 'local'
        ? notChecked('A local run uses the clock of this machine.')
        : checkClock(identity.clock),
    ),
  ]);
  const found = [...account, ...(await diagnoseService(patient, identity, now))];
  return found.toSorted((a, b) => checks.indexOf(a.check) - checks.indexOf(b.check));
}

async function diagnoseService(patient: Patient, identity: Identity, now: Now): Promise<readonly Finding[]> {
  if (patient.kind === 'local') {
    return diagnoseLocal(patient.deployment, now);
  }
  if (lacksCredentials(identity)) {
    return skip(['stack', 'outputs', 'alarms', ...resourceChecks], 'This needs working AWS credentials.');
  }
  return diagnoseStack(patient.name, patient.awsConfig, now);
}

async function diagnoseLocal(deployment: Deployment, now: Now): Promise<readonly Finding[]> {
  return [
    ...skip(['stack'], 'A local run has no stack in CloudFormation.'),
    { check: 'outputs', ...outputsFound('the local run') },
    ...(await diagnoseResources(deployment, now)),
    await examine('alarms', () => checkAlarms(deployment, true)),
  ];
}

async function diagnoseStack(name: string, awsConfig: AwsConfig, now: Now): Promise<readonly Finding[]> {
  const stack = describeStack(name, awsConfig);
  const outputs = stack.then((described) => readOutputs(described, name));
  const readable = await outputs.catch(() => undefined);
  return [
    ...(await Promise.all([
      examine('stack', async () => checkStack(await stack)),
      examine('outputs', () => checkOutputs(stack, outputs, name)),
      examine('alarms', () => checkAlarms({ stackName: name, awsConfig }, false)),
    ])),
    ...(await (readable === undefined
      ? skip(resourceChecks, 'This needs the outputs of the stack.')
      : diagnoseResources({ stackName: name, outputs: readable, awsConfig }, now))),
  ];
}

/** Whoever cannot see the stack learns why from the check of the stack. */
async function checkOutputs(
  stack: Promise<unknown>,
  outputs: Promise<unknown>,
  name: string,
): Promise<Outcome> {
  const isSeen = await stack.then(
    () => true,
    () => false,
  );
  if (!isSeen) {
    return notChecked('This needs the stack.');
  }
  await outputs;
  return outputsFound(`the stack ${name}`);
}

function outputsFound(where: string): Outcome {
  return ok(`All ${outputNames.length} outputs of ${where} are there.`);
}

const resourceChecks = ['signing keys', 'key rotation', 'dead letters', 'api'] as const;

function diagnoseResources(deployment: Deployment, now: Now): Promise<readonly Finding[]> {
  const keys = listSigningKeys(deployment);
  return Promise.all([
    examine('signing keys', async () => checkSigningKeys(await keys, now())),
    examine('key rotation', async () =>
      checkKeyRotation(deployment, await keys.catch(() => undefined), now()),
    ),
    examine('dead letters', () => checkDeadLetters(deployment)),
    examine('api', () => checkApi(deployment.outputs, now)),
  ]);
}

function skip(skipped: readonly Check[], reason: string): readonly Finding[] {
  return skipped.map((check) => ({ check, ...notChecked(reason) }));
}
