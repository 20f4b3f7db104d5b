import { createKeyHandler } from '../../../lambdas/signing-keys/handle-key-event.ts';
import type { RotationSchedule } from '../../../lambdas/signing-keys/rotation-schedule.ts';
import { setUp } from './set-up.ts';

export const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:signing-keys';

/** Schedule that a deployment sets. */
export const wanted: RotationSchedule = { functionArn, days: 90 };

/**
 * Creates the handler, with a clock that its pauses advance. A test can replace methods of its store and of
 * {@link schedule}.
 */
export function keyHandler() {
  const { store, dependencies, lines, pass, ensure } = setUp();
  const pauses: number[] = [];
  const responses: (string | undefined)[] = [];
  const scheduled: RotationSchedule[] = [];
  const schedule = {
    /** Called before a schedule is written. */
    before: () => {},
    read: async () => scheduled.at(-1),
    write: async (one: RotationSchedule) => {
      schedule.before();
      scheduled.push(one);
    },
  };
  const handle = createKeyHandler({
    ...dependencies,
    signingKeySecretArn: 'arn',
    schedule: { read: () => schedule.read(), write: (one) => schedule.write(one) },
    rotationDays: wanted.days,
    random: () => 1,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds);
      pass(milliseconds / 1000);
    },
    respondToCustomResource: async (_, failure) => void responses.push(failure),
  });
  const handler = (event: unknown) => handle(event, { invokedFunctionArn: functionArn });
  return {
    handler,
    store,
    schedule,
    /** Written schedules, in order. */
    scheduled,
    lines,
    pauses,
    ensure,
    /** @throws {Error} with the reason, if the deployment failed */
    deploy: async (RequestType = 'Create') => {
      const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'SigningKeys' };
      await handler({ RequestType, ResponseURL: 'https://responses.test.invalid/', ...ids });
      const failure = responses.pop();
      if (failure !== undefined) {
        throw new Error(failure);
      }
    },
  };
}

export function errorNamed(name: string, message = 'of AWS'): Error {
  return Object.assign(new Error(message), { name });
}

/** Fails the first calls of a method. */
export function fail<Name extends string>(
  target: Record<Name, (...input: never[]) => Promise<unknown>>,
  name: Name,
  times: number,
  error: Error,
): void {
  const act = target[name];
  let left = times;
  target[name] = async (...input) => {
    left -= 1;
    if (left >= 0) {
      throw error;
    }
    return act(...input);
  };
}
