import { randomUUID } from 'node:crypto';
import type { InvokeFunction } from '../lambda/invoke.ts';
import { AwsError } from '../shared/errors.ts';
import type { Resource } from '../shared/resource-type.ts';
import { ofType, type TypedResource } from '../shared/resource-type.ts';
import { rotationScheduleType } from './resource-types.ts';
import { addPendingVersion, type Secret, unfinishedRotation } from './secret.ts';
import type { SecretStore } from './store.ts';

/** The steps of a rotation, in order (Secrets Manager User Guide, "Lambda rotation functions"). */
const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

/** Longest wait before the schedules are checked again: Node's timers cannot run for more than 24 days. */
const longestWaitMilliseconds = 60 * 60 * 1000;

/** Wait before a failed rotation is tried again. */
const retryMilliseconds = 60 * 1000;

export interface Rotation {
  /**
   * Starts a rotation, as RotateSecret does. Returns while the rotation runs.
   *
   * @throws {AwsError} InvalidRequestException while an earlier rotation is not complete; that one is tried again
   */
  readonly request: (secretArn: string, versionId: string) => Promise<void>;
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
  readonly invoke: InvokeFunction;
  readonly now: () => Date;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

type Schedule = TypedResource<typeof rotationScheduleType.properties>;

/** @throws {Error} naming the schedule, when its rules are not understood */
export function createRotation(parts: RotationParts): Rotation {
  const schedules = new Map(
    ofType(parts.resources, rotationScheduleType).map((it) => {
      requirePeriod(it);
      return [it.properties.SecretId, it];
    }),
  );
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
    const now = parts.now().getTime();
    const due = [...schedules].filter(([arn, schedule]) => dueAt(parts.store.read(arn), schedule) <= now);
    await Promise.all(due.map(([arn, schedule]) => begin(parts, arn, schedule, runSteps)));
  };
  const wait = () => {
    if (stopped) {
      return;
    }
    const waits = [...schedules].map(([arn, it]) => dueAt(parts.store.read(arn), it) - parts.now().getTime());
    const next = Math.min(
      longestWaitMilliseconds,
      Math.max(retryMilliseconds, ...(waits.length > 0 ? [Math.min(...waits)] : [])),
    );
    timer = setTimeout(() => void rotateWhatIsDue().finally(wait), next);
    timer.unref();
  };

  return {
    request: async (secretArn, versionId) => {
      const schedule = schedules.get(secretArn);
      if (schedule === undefined) {
        const text = 'No Lambda rotation function ARN is associated with this secret.';
        throw new AwsError(400, 'InvalidRequestException', text);
      }
      const unfinished = unfinishedRotation(parts.store.read(secretArn));
      if (unfinished !== undefined) {
        void runSteps(secretArn, unfinished, schedule);
        const text = "A previous rotation isn't complete. That rotation will be reattempted.";
        throw new AwsError(400, 'InvalidRequestException', text);
      }
      await addPending(parts, secretArn, versionId);
      void runSteps(secretArn, versionId, schedule);
    },
    describe: (secret) => describe(secret, schedules.get(secret.arn)),
    start: async () => {
      if (schedules.size === 0) {
        return;
      }
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

async function addPending(
  { store, now }: RotationParts,
  secretArn: string,
  versionId: string,
): Promise<void> {
  await store.change(secretArn, (secret) => {
    if (secret.versions.some((it) => it.versionId === versionId)) {
      return secret;
    }
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
  const functionName = schedule.properties.RotationLambdaARN.replace(/^.*:function:/, '');
  for (const step of steps) {
    const payload = { Step: step, SecretId: secretArn, ClientRequestToken: versionId };
    const failure = await callStep(parts.invoke, functionName, payload);
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
  invoke: InvokeFunction,
  functionName: string,
  payload: unknown,
): Promise<string | undefined> {
  try {
    const result = await invoke(functionName, payload);
    return result.ok ? undefined : `${result.error.errorType}: ${result.error.errorMessage}`;
  } catch (error) {
    return String(error);
  }
}

function describe(secret: Secret, schedule: Schedule | undefined): Readonly<Record<string, unknown>> {
  if (schedule === undefined) {
    return {};
  }
  const { RotationRules, RotationLambdaARN } = schedule.properties;
  return {
    RotationEnabled: true,
    RotationLambdaARN,
    RotationRules,
    NextRotationDate: dueAt(secret, schedule) / 1000,
  };
}

/** When the next rotation is due, in milliseconds since the epoch. */
function dueAt(secret: Secret, schedule: Schedule): number {
  if (unfinishedRotation(secret) !== undefined) {
    return 0;
  }
  if (secret.rotatedAt !== undefined) {
    return secret.rotatedAt + requirePeriod(schedule);
  }
  const immediately = schedule.properties.RotateImmediatelyOnUpdate ?? true;
  return immediately ? 0 : secret.createdAt + requirePeriod(schedule);
}

function requirePeriod({ logicalId, properties }: Schedule): number {
  const { AutomaticallyAfterDays: days, ScheduleExpression: expression } = properties.RotationRules;
  const rate = /^rate\((\d+) (hour|day)s?\)$/.exec(expression ?? '');
  const hours = days !== undefined ? days * 24 : Number(rate?.[1]) * (rate?.[2] === 'day' ? 24 : 1);
  if (Number.isNaN(hours)) {
    throw new Error(`${logicalId}: rotation needs AutomaticallyAfterDays or a rate of hours or days`);
  }
  return hours * 60 * 60 * 1000;
}
