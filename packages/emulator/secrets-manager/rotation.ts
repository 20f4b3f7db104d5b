import { randomUUID } from 'node:crypto';
import { requireAllowed } from '../iam/authorize.ts';
import type { Principal } from '../iam/principal.ts';
import type { InvokeFunction } from '../lambda/invoke.ts';
import { functionNameOf } from '../lambda/resource-types.ts';
import type { Output } from '../protocols/service.ts';
import type { ServiceContext } from '../registry/aws-service.ts';
import { repeatedWork } from '../shared/concurrency.ts';
import { AwsError } from '../shared/errors.ts';
import { ofType } from '../shared/resource-type.ts';
import { requireKeyAccess, type SecretKeys } from './access.ts';
import { secretType } from './resource-types.ts';
import {
  addPendingVersion,
  removeVersion,
  type Schedule,
  type Secret,
  unfinishedRotation,
} from './secret.ts';
import type { SecretStore } from './store.ts';

/** Steps of a rotation, in order (Secrets Manager User Guide, "Lambda rotation functions"). */
const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

type Step = (typeof steps)[number];

/** Interval between checks of the schedules. A check also retries a failed rotation. */
const checkMilliseconds = 60_000;

const dayMilliseconds = 24 * 3_600_000;

/** Parameters of a call of RotateSecret. */
interface RotationRequest {
  readonly caller: Principal;
  readonly secretArn: string;
  readonly versionId: string;
  /** Function and rules, required for a secret without a schedule. */
  readonly functionArn: string | undefined;
  readonly rules: Schedule['rules'] | undefined;
  /** True to rotate now. If false, the function is tested and the schedule is set. */
  readonly immediately: boolean;
}

export interface Rotation {
  /**
   * Sets a schedule, and starts a rotation or tests the function, as RotateSecret does. Does not wait for the
   * rotation.
   *
   * @throws {AwsError} AccessDeniedException when the caller or Secrets Manager may not invoke the function
   * @throws {AwsError} InvalidRequestException while an earlier rotation is not complete. The earlier
   * rotation is retried
   */
  readonly request: (request: RotationRequest) => Promise<void>;
  /** Returns the rotation members of DescribeSecret. */
  readonly describe: (secret: Secret) => Output;
  /** Starts the schedules: rotates due secrets now and later. */
  readonly start: () => void;
  /** Stops the schedules, and waits for running rotations. */
  readonly stop: () => Promise<void>;
}

interface RotationDependencies extends ServiceContext {
  readonly store: SecretStore;
  readonly keys: SecretKeys;
  readonly invoke: InvokeFunction;
}

/** A rotation of a secret, which creates this version. */
interface OneRotation {
  readonly secretArn: string;
  readonly versionId: string;
  readonly schedule: Schedule;
}

/** Rotates the secrets for which RotateSecret has set a schedule. */
export function createRotation(dependencies: RotationDependencies): Rotation {
  const { store } = dependencies;
  const secretArns = ofType(dependencies.resources, secretType).map(({ ref }) => ref);
  const running = new Map<string, { readonly versionId: string; readonly rotation: Promise<void> }>();
  const logFailure = (error: unknown) =>
    dependencies.log({ level: 'error', message: 'rotation failed', error: String(error) });

  const run = (one: OneRotation): Promise<void> => {
    const { secretArn, versionId } = one;
    const active = running.get(secretArn);
    if (active?.versionId === versionId) {
      return active.rotation;
    }
    // An earlier rotation may still run its last step, although AWSCURRENT has moved already.
    const before = active?.rotation ?? Promise.resolve();
    const rotation = before
      .then(() => rotate(dependencies, one))
      .catch(logFailure)
      .finally(() => {
        if (running.get(secretArn)?.rotation === rotation) {
          running.delete(secretArn);
        }
      });
    running.set(secretArn, { versionId, rotation });
    return rotation;
  };
  const rotateDueSecrets = async () => {
    for (const secret of secretArns.map(store.read)) {
      const { arn: secretArn, schedule } = secret;
      if (schedule !== undefined && dueAt(secret, schedule) <= dependencies.now().getTime()) {
        const one = { secretArn, versionId: unfinishedRotation(secret) ?? randomUUID(), schedule };
        await addPending(dependencies, one);
        await run(one);
      }
    }
  };
  const work = repeatedWork(checkMilliseconds, rotateDueSecrets, logFailure);
  return {
    request: async (request) => {
      const { secretArn, versionId } = request;
      const { schedule: before, ...secret } = store.read(secretArn);
      const schedule = requireSchedule(request, before, dependencies);
      const one = { secretArn, versionId, schedule };
      const unfinished = unfinishedRotation(secret);
      if (unfinished !== undefined) {
        if (before !== undefined) {
          void run({ secretArn, versionId: unfinished, schedule: before });
        }
        throw incomplete();
      }
      if (!request.immediately) {
        await testAndSet(dependencies, one, request.caller);
        return;
      }
      await store.change(secretArn, (it) => ({ ...it, schedule }));
      await addPending(dependencies, one);
      void run(one);
    },
    describe: describeSchedule,
    start: work.start,
    stop: async () => {
      await work.stop();
      await Promise.all([...running.values()].map(({ rotation }) => rotation));
    },
  };
}

/** Returns the time of the next rotation, in milliseconds since the epoch. */
function dueAt(secret: Secret, { rules, setAt }: Schedule): number {
  const since = secret.rotatedAt ?? setAt;
  return unfinishedRotation(secret) === undefined
    ? since + rules.AutomaticallyAfterDays * dayMilliseconds
    : 0;
}

function describeSchedule(secret: Secret): Output {
  const { schedule } = secret;
  return schedule === undefined
    ? {}
    : {
        RotationEnabled: true,
        RotationLambdaARN: schedule.functionArn,
        RotationRules: schedule.rules,
        NextRotationDate: dueAt(secret, schedule) / 1000,
      };
}

/**
 * Returns the schedule after a request. Values that the request omits stay unchanged.
 *
 * @throws {AwsError} when the function or the rules are missing, or when the caller or Secrets Manager may
 * not invoke the function
 */
function requireSchedule(
  request: RotationRequest,
  before: Schedule | undefined,
  dependencies: RotationDependencies,
): Schedule {
  const functionArn = request.functionArn ?? before?.functionArn;
  const rules = request.rules ?? before?.rules;
  if (functionArn === undefined || rules === undefined) {
    const text = 'No Lambda rotation function ARN is associated with this secret.';
    throw new AwsError(400, 'InvalidRequestException', text);
  }
  const isUnchanged = request.functionArn === undefined && request.rules === undefined;
  const setAt = isUnchanged && before !== undefined ? before.setAt : dependencies.now().getTime();
  requireAllowed(
    { principal: request.caller, action: 'lambda:InvokeFunction', resource: functionArn },
    dependencies,
  );
  if (!mayInvoke(dependencies, request.secretArn, functionArn)) {
    const text =
      'Secrets Manager cannot invoke the specified Lambda function. Ensure that the function policy grants access to ' +
      'the principal secretsmanager.amazonaws.com.';
    throw new AwsError(400, 'AccessDeniedException', text);
  }
  return { functionArn, rules, setAt };
}

/**
 * By the Secrets Manager User Guide, "Lambda rotation function execution role permissions", the policy of the
 * function decides.
 */
function mayInvoke({ authorize }: RotationDependencies, secretArn: string, functionArn: string): boolean {
  const service = 'secretsmanager.amazonaws.com';
  const principal = { kind: 'service', service, sourceArn: secretArn } as const;
  return authorize({ principal, action: 'lambda:InvokeFunction', resource: functionArn }).allowed;
}

/**
 * Sets a schedule after a test of its function. By the API reference (RotateSecret, RotateImmediately),
 * Secrets Manager creates a version with AWSPENDING, invokes `testSecret`, and removes the version. The rest
 * is not documented: here the version is empty, the key is used with the permissions of the caller, and the
 * response waits for the test.
 *
 * @throws {AwsError} AccessDeniedException when the caller may not use the key of the secret
 * @throws {AwsError} InvalidRequestException when the test fails
 */
async function testAndSet(
  dependencies: RotationDependencies,
  one: OneRotation,
  principal: Principal,
): Promise<void> {
  const { store, keys } = dependencies;
  const { secretArn, versionId, schedule } = one;
  const actions = ['kms:GenerateDataKey', 'kms:Decrypt'];
  requireKeyAccess({ principal, actions, secretArn, versionId }, keys, dependencies);
  await addPending(dependencies, one);
  const failure = await callStep(dependencies, one, 'testSecret');
  await store.change(secretArn, (secret) => removeVersion(secret, versionId));
  if (failure !== undefined) {
    throw new AwsError(400, 'InvalidRequestException', `The test of the rotation failed: ${failure}`);
  }
  await store.change(secretArn, (secret) => ({ ...secret, schedule }));
}

function incomplete(): AwsError {
  const text = "A previous rotation isn't complete. That rotation will be reattempted.";
  return new AwsError(400, 'InvalidRequestException', text);
}

/** Creates the version of a rotation. @throws {AwsError} when another rotation has begun meanwhile */
async function addPending(
  { store, now }: RotationDependencies,
  { secretArn, versionId }: OneRotation,
): Promise<void> {
  await store.change(secretArn, (secret) => {
    const unfinished = unfinishedRotation(secret);
    if (unfinished === versionId) {
      return secret;
    }
    if (unfinished !== undefined) {
      throw incomplete();
    }
    return addPendingVersion(secret, versionId, now().getTime());
  });
}

/**
 * Invokes the function once for each step. If a step fails, the rotation ends, and AWSPENDING is not moved.
 */
async function rotate(dependencies: RotationDependencies, one: OneRotation): Promise<void> {
  const { secretArn } = one;
  const fail = (error: string, step?: Step) =>
    dependencies.log({ level: 'error', message: 'secret rotation failed', secret: secretArn, step, error });
  for (const step of steps) {
    const failure = await callStep(dependencies, one, step);
    if (failure !== undefined) {
      fail(failure, step);
      return;
    }
  }
  if (unfinishedRotation(dependencies.store.read(secretArn)) !== undefined) {
    fail('the function did not move AWSCURRENT to the new version');
    return;
  }
  await dependencies.store.change(secretArn, (it) => ({ ...it, rotatedAt: dependencies.now().getTime() }));
}

/** @returns error of the step; undefined when the step succeeded */
async function callStep(
  dependencies: RotationDependencies,
  { secretArn, versionId, schedule: { functionArn } }: OneRotation,
  step: Step,
): Promise<string | undefined> {
  if (!mayInvoke(dependencies, secretArn, functionArn)) {
    return 'Secrets Manager may not invoke the function';
  }
  const payload = { Step: step, SecretId: secretArn, ClientRequestToken: versionId };
  try {
    const result = await dependencies.invoke(functionNameOf(functionArn), payload);
    return result.ok ? undefined : `${result.error.errorType}: ${result.error.errorMessage}`;
  } catch (error) {
    return String(error);
  }
}
