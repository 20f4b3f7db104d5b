import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Authorize, refusalText } from '../iam/authorize.ts';
import type { Principal } from '../iam/principal.ts';
import type { InvokeFunction } from '../lambda/invoke.ts';
import { functionNameOf } from '../lambda/resource-types.ts';
import { AwsError, StartProblem } from '../shared/errors.ts';
import type { StackIdentity } from '../shared/names.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { requireKeyAccess, type SecretKeys } from './access.ts';
import { secretType } from './resource-types.ts';
import {
  describeSchedule,
  dueAt,
  requirePeriod,
  type TemplateSchedule,
  templateSchedules,
} from './schedule.ts';
import {
  addPendingVersion,
  removeVersion,
  type Schedule,
  type Secret,
  unfinishedRotation,
} from './secret.ts';
import type { SecretStore } from './store.ts';

/** The steps of a rotation, in order (Secrets Manager User Guide, "Lambda rotation functions"). */
const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

/** Longest wait before the schedules are checked again: Node's timers cannot run for more than 24 days. */
const longestWaitMilliseconds = 60 * 60 * 1000;

/** Wait before a failed rotation is tried again. */
const retryMilliseconds = 60 * 1000;

/** What RotateSecret is asked for. */
export interface RotationRequest {
  readonly caller: Principal;
  readonly secretArn: string;
  readonly versionId: string;
  /** Both have to be given for a secret without a schedule. */
  readonly functionArn?: string;
  readonly rules?: Schedule['rules'];
  /** If not, the schedule is set and the function is tested. */
  readonly immediately: boolean;
}

export interface Rotation {
  /**
   * Sets a schedule, and starts a rotation or tests the function, as RotateSecret does. Returns while the rotation runs.
   *
   * @throws {AwsError} AccessDeniedException when the caller or Secrets Manager may not invoke the function
   * @throws {AwsError} InvalidRequestException while an earlier rotation is not complete; that one is tried again
   */
  readonly request: (request: RotationRequest) => Promise<void>;
  /**
   * Sets the schedules of the template that must not rotate when they are made, as CloudFormation does: with the rights
   * of whoever deploys.
   *
   * @throws {StartProblem} naming the schedule, when it is refused
   */
  readonly setTemplateSchedules: () => Promise<void>;
  /** What DescribeSecret says about rotation. */
  readonly describe: (secret: Secret) => Readonly<Record<string, unknown>>;
  /**
   * Makes the rotations that are due, now and from now on. Resolves when those that are due now have ended. A schedule
   * rotates when it is made, unless it says otherwise, so that a secret can get its first value from here.
   */
  readonly start: () => Promise<void>;
  /** Stops the schedules and waits for a rotation that is running. */
  readonly stop: () => Promise<void>;
}

export interface RotationParts {
  readonly store: SecretStore;
  readonly resources: readonly Resource[];
  readonly keys: SecretKeys;
  readonly authorize: Authorize;
  readonly stack: StackIdentity;
  readonly now: () => Date;
  readonly invoke: InvokeFunction;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/** @throws {Error} naming the schedule, when its rules are not understood */
export function createRotation(parts: RotationParts): Rotation {
  const { store, resources } = parts;
  const ofTemplate = templateSchedules(resources);
  const secretArns = ofType(resources, secretType).map(({ ref }) => ref);
  const scheduleOf = (secret: Secret): Schedule | undefined =>
    secret.schedule ?? initialSchedule(secret, ofTemplate.get(secret.arn));
  const scheduled = () =>
    secretArns.flatMap((arn) => {
      const schedule = scheduleOf(store.read(arn));
      return schedule === undefined ? [] : [{ arn, schedule, due: dueAt(store.read(arn), schedule) }];
    });
  const running = new Map<string, { readonly versionId: string; readonly rotation: Promise<void> }>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const runSteps = (secretArn: string, versionId: string, schedule: Schedule): Promise<void> => {
    const active = running.get(secretArn);
    if (active?.versionId === versionId) {
      return active.rotation;
    }
    // An earlier rotation can still be at its last step, although it has moved AWSCURRENT already.
    const before = active?.rotation ?? Promise.resolve();
    const rotation = before
      .catch(() => undefined)
      .then(() => rotate(parts, schedule, secretArn, versionId))
      .finally(() => {
        if (running.get(secretArn)?.rotation === rotation) {
          running.delete(secretArn);
        }
      });
    running.set(secretArn, { versionId, rotation });
    return rotation;
  };
  const rotateWhatIsDue = async () => {
    const due = scheduled().filter((it) => it.due <= parts.now().getTime());
    await Promise.all(due.map(({ arn, schedule }) => begin(parts, arn, schedule, runSteps)));
  };
  const wait = () => {
    if (stopped) {
      return;
    }
    const waits = scheduled().map(({ due }) => due - parts.now().getTime());
    const next = Math.min(longestWaitMilliseconds, Math.max(retryMilliseconds, Math.min(...waits)));
    timer = setTimeout(() => void rotateWhatIsDue().finally(wait), next);
    timer.unref();
  };
  const request = async (asked: RotationRequest): Promise<void> => {
    const { secretArn, versionId } = asked;
    const before = scheduleOf(store.read(secretArn));
    const schedule = requireSchedule(asked, before, parts);
    const unfinished = unfinishedRotation(store.read(secretArn));
    if (unfinished !== undefined) {
      if (before !== undefined) {
        void runSteps(secretArn, unfinished, before);
      }
      throw incomplete();
    }
    if (!asked.immediately) {
      await testAndSet(parts, asked, schedule);
      return;
    }
    if (schedule !== before) {
      await store.change(secretArn, (secret) => ({ ...secret, schedule }));
    }
    await addPending(parts, secretArn, versionId, (secret) => {
      // Another request may have come in since the check above.
      if (unfinishedRotation(secret) !== undefined) {
        throw incomplete();
      }
    });
    void runSteps(secretArn, versionId, schedule);
  };

  return {
    request,
    setTemplateSchedules: async () => {
      for (const [secretArn, { logicalId, properties }] of ofTemplate) {
        const { RotationLambdaARN: functionArn, RotationRules: rules } = properties;
        const set = store.read(secretArn).schedule;
        const isSet = set?.functionArn === functionArn && isDeepStrictEqual(set.rules, rules);
        if (properties.RotateImmediatelyOnUpdate !== false || isSet) {
          continue;
        }
        const versionId = randomUUID();
        const caller = { kind: 'operator' } as const;
        await request({ caller, secretArn, versionId, functionArn, rules, immediately: false }).catch(
          (error) => {
            throw new StartProblem(`Resource ${logicalId} could not be made: ${String(error)}`);
          },
        );
      }
    },
    describe: (secret) => describeSchedule(secret, scheduleOf(secret)),
    start: async () => {
      await rotateWhatIsDue();
      wait();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await Promise.all([...running.values()].map(({ rotation }) => rotation));
    },
  };
}

/** A schedule of the template that RotateSecret has not been called for. */
function initialSchedule(secret: Secret, template: TemplateSchedule | undefined): Schedule | undefined {
  if (template === undefined) {
    return undefined;
  }
  const { RotationLambdaARN, RotationRules, RotateImmediatelyOnUpdate = true } = template.properties;
  return {
    functionArn: RotationLambdaARN,
    rules: RotationRules,
    ...(RotateImmediatelyOnUpdate ? {} : { setAt: secret.createdAt }),
  };
}

/**
 * The schedule after a request, which keeps what it does not change.
 *
 * @throws {AwsError} when there is none, or the caller or Secrets Manager may not invoke its function
 */
function requireSchedule(
  { caller, secretArn, functionArn, rules }: RotationRequest,
  before: Schedule | undefined,
  parts: RotationParts,
): Schedule {
  const isKept = functionArn === undefined && rules === undefined;
  const schedule = isKept
    ? before
    : {
        functionArn: functionArn ?? before?.functionArn ?? '',
        rules: rules ?? before?.rules ?? {},
        setAt: parts.now().getTime(),
      };
  if (schedule === undefined || schedule.functionArn === '') {
    const text = 'No Lambda rotation function ARN is associated with this secret.';
    throw new AwsError(400, 'InvalidRequestException', text);
  }
  requirePeriod(schedule.rules, secretArn);
  const call = { principal: caller, action: 'lambda:InvokeFunction', resource: schedule.functionArn };
  if (!parts.authorize(call).allowed) {
    throw new AwsError(400, 'AccessDeniedException', refusalText(call, parts.stack));
  }
  if (!mayInvoke(parts, secretArn, schedule)) {
    const text =
      'Secrets Manager cannot invoke the specified Lambda function. Ensure that the function policy grants access to ' +
      'the principal secretsmanager.amazonaws.com';
    throw new AwsError(400, 'AccessDeniedException', text);
  }
  return schedule;
}

/** Secrets Manager User Guide, "Lambda rotation function execution role permissions": the policy of the function. */
function mayInvoke({ authorize }: RotationParts, secretArn: string, { functionArn }: Schedule): boolean {
  const principal = {
    kind: 'service',
    service: 'secretsmanager.amazonaws.com',
    sourceArn: secretArn,
  } as const;
  return authorize({ principal, action: 'lambda:InvokeFunction', resource: functionArn }).allowed;
}

/**
 * Sets a schedule after a test of its function. The API reference of RotateSecret (RotateImmediately) says that it makes
 * a version with AWSPENDING, invokes `testSecret`, and removes the version. It says nothing about the rest: here the version
 * is empty, the rights of the caller encrypt it, and the answer waits for the test.
 *
 * @throws {AwsError} AccessDeniedException when the caller may not use the key of the secret
 * @throws {AwsError} InvalidRequestException when the test fails
 */
async function testAndSet(parts: RotationParts, asked: RotationRequest, schedule: Schedule): Promise<void> {
  const { store, keys, authorize, stack, now } = parts;
  const { caller, secretArn, versionId } = asked;
  const actions = ['kms:GenerateDataKey', 'kms:Decrypt'];
  requireKeyAccess({ principal: caller, actions, secretArn, versionId }, keys, authorize, stack);
  await store.change(secretArn, (secret) => addPendingVersion(secret, versionId, now().getTime()));
  const failure = await callStep(parts, schedule, { step: 'testSecret', secretArn, versionId });
  await store.change(secretArn, (secret) => removeVersion(secret, versionId));
  if (failure !== undefined) {
    throw new AwsError(400, 'InvalidRequestException', `The test of the rotation failed: ${failure}`);
  }
  await store.change(secretArn, (secret) => ({ ...secret, schedule }));
}

type RunSteps = (secretArn: string, versionId: string, schedule: Schedule) => Promise<void>;

async function begin(
  parts: RotationParts,
  secretArn: string,
  schedule: Schedule,
  runSteps: RunSteps,
): Promise<void> {
  const unfinished = unfinishedRotation(parts.store.read(secretArn));
  const versionId = unfinished ?? randomUUID();
  if (unfinished === undefined) {
    await addPending(parts, secretArn, versionId);
  }
  await runSteps(secretArn, versionId, schedule);
}

function incomplete(): AwsError {
  const text = "A previous rotation isn't complete. That rotation will be reattempted.";
  return new AwsError(400, 'InvalidRequestException', text);
}

async function addPending(
  { store, now }: RotationParts,
  secretArn: string,
  versionId: string,
  check: (secret: Secret) => void = () => undefined,
): Promise<void> {
  await store.change(secretArn, (secret) => {
    if (secret.versions.some((it) => it.versionId === versionId)) {
      return secret;
    }
    check(secret);
    return addPendingVersion(secret, versionId, now().getTime());
  });
}

/** Calls the function once for each step. A step that fails ends the rotation and leaves AWSPENDING where it is. */
async function rotate(
  parts: RotationParts,
  schedule: Schedule,
  secretArn: string,
  versionId: string,
): Promise<void> {
  for (const step of steps) {
    const failure = await callStep(parts, schedule, { step, secretArn, versionId });
    if (failure === undefined) {
      continue;
    }
    const message = 'secret rotation failed';
    parts.log({ level: 'error', message, secret: secretArn, version_id: versionId, step, error: failure });
    return;
  }
  const secret = parts.store.read(secretArn);
  if (unfinishedRotation(secret) !== undefined) {
    const error = 'the function did not move AWSCURRENT to the new version';
    parts.log({
      level: 'error',
      message: 'secret rotation failed',
      secret: secretArn,
      version_id: versionId,
      error,
    });
    return;
  }
  await parts.store.change(secretArn, (it) => ({ ...it, rotatedAt: parts.now().getTime() }));
}

async function callStep(
  parts: RotationParts,
  schedule: Schedule,
  { step, secretArn, versionId }: { step: (typeof steps)[number]; secretArn: string; versionId: string },
): Promise<string | undefined> {
  if (!mayInvoke(parts, secretArn, schedule)) {
    return 'Secrets Manager may not invoke the function';
  }
  const payload = { Step: step, SecretId: secretArn, ClientRequestToken: versionId };
  try {
    const result = await parts.invoke(functionNameOf(schedule.functionArn), payload);
    return result.ok ? undefined : `${result.error.errorType}: ${result.error.errorMessage}`;
  } catch (error) {
    return String(error);
  }
}
