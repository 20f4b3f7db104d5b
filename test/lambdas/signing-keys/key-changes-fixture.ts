import fc from 'fast-check';
import { ensureKeys } from '../../../lambdas/signing-keys/ensure-keys.ts';
import { type Revoked, revokeKeys } from '../../../lambdas/signing-keys/revoke.ts';
import { rotationSteps } from '../../../lambdas/signing-keys/rotate.ts';
import { KeysChangedError } from '../../../lambdas/signing-keys/secret-versions.ts';
import type { Secrets } from './fake-secrets.ts';
import type { Held, Past, RevokedKeys } from './key-changes-model.ts';
import { deployed, tokenLifetimeSeconds } from './set-up.ts';

/** An event after a wait; plain data, so that a failed history is readable. */
type Event =
  | { readonly rotateWithSecondsBetweenSteps: number; readonly diesAfterWrites?: number }
  | { readonly revokePublishedKey: number | 'all'; readonly diesAfterWrites: number }
  | { readonly deployAndDieAfterWrites: number }
  /** Revokes during a rotation or a deployment. The numbers select the operation that runs its next call. */
  | {
      readonly revokeMeanwhile: number | 'all';
      readonly other: 'rotate' | 'deploy';
      readonly turns: number[];
    };

type History = readonly (readonly [seconds: number, Event])[];

/** Creates the first keys, and the operations on them. */
async function prepare() {
  const parts = await deployed();
  const { published, dependencies } = parts;
  return {
    ...parts,
    deploy: () => retry(() => ensureKeys(dependencies)),
    revoke: (which: Revoked) => revokeKeys(which, dependencies, retry),
    chosen: (index: number | 'all'): Revoked =>
      index === 'all' ? 'all' : (published()[index % published().length] ?? ''),
  };
}

type Deployed = Awaited<ReturnType<typeof prepare>>;

/** Retries the action if the keys change meanwhile, as the handler does. */
async function retry<Result>(action: () => Promise<Result>, attempts = 6): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof KeysChangedError) || attempts === 1) {
      throw error;
    }
    return retry(action, attempts - 1);
  }
}

/** Runs a history, and ends with a deployment. */
export async function live(history: History): Promise<Past> {
  const parts = await prepare();
  const { store: secrets, clock, pass, step } = parts;
  const held = holding(parts);
  const revoked: RevokedKeys[] = [];
  const failures: string[] = [];
  /**
   * Runs an operation until it ends or its function dies.
   *
   * @returns true if it died
   */
  const dies = async (writes: number | undefined, operation: () => Promise<unknown>) => {
    secrets.writesLeft = writes ?? Number.POSITIVE_INFINITY;
    const message = await operation().then(
      () => '',
      (error: Error) => error.message,
    );
    secrets.writesLeft = Number.POSITIVE_INFINITY;
    failures.push(...[message].filter((one) => one !== '' && one !== 'crash'));
    return message !== '';
  };
  const rotation = async (token: string, secondsBetweenSteps = 0) => {
    for (const name of rotationSteps) {
      await step(name, token);
      pass(secondsBetweenSteps);
    }
  };
  /**
   * Records the state before a revocation.
   *
   * @returns function that records the end of the revocation
   */
  const beginRevoking = (which: Revoked) => {
    const before = parts.published();
    const [began, wasSigning] = [held.keys.length, which === 'all' || which === secrets.readable.key.kid];
    return () => {
      const signs = secrets.readable.key.kid;
      // A rotation beside the revocation may publish the key, and even finish, before the revocation writes.
      const write = held.keys.findIndex(({ value }, index) => index >= began && value === signs);
      const known = held.sets[write - 1]?.value.keys.map(({ jwk }) => jwk.kid) ?? before;
      const signed = held.keys.map(({ value }) => value).filter((kid) => kid !== signs);
      const kids = which === 'all' ? [...before, ...signed] : [which];
      revoked.push({ kids, isAll: which === 'all', known, signs, began, wasSigning, at: clock.time });
    };
  };

  let unfinished: string | undefined;
  for (const [index, [seconds, event]] of history.entries()) {
    pass(seconds);
    if ('rotateWithSecondsBetweenSteps' in event) {
      const token = unfinished ?? `rotation-${index}`;
      secrets.begin(token);
      const died = await dies(event.diesAfterWrites, () =>
        rotation(token, event.rotateWithSecondsBetweenSteps),
      );
      unfinished = died ? token : undefined;
    } else if ('revokePublishedKey' in event) {
      const which = parts.chosen(event.revokePublishedKey);
      const ended = beginRevoking(which);
      const died = await dies(event.diesAfterWrites, () => parts.revoke(which));
      // The operator repeats it, unless the function died after its last write.
      if (died && (which === 'all' || parts.published().includes(which))) {
        await parts.revoke(which);
      }
      ended();
      unfinished = undefined;
    } else if ('deployAndDieAfterWrites' in event) {
      await dies(event.deployAndDieAfterWrites, parts.deploy);
    } else {
      const which = parts.chosen(event.revokeMeanwhile);
      const token = unfinished ?? `rotation-${index}`;
      const ended = beginRevoking(which);
      if (event.other === 'rotate') {
        secrets.begin(token);
      }
      const other = event.other === 'rotate' ? () => rotation(token) : parts.deploy;
      await interleave(secrets, event.turns, [
        () => parts.revoke(which),
        () => other().catch(() => undefined),
      ]);
      ended();
      const pending = secrets.pending;
      if (pending !== undefined) {
        // Secrets Manager retries the rotation. The rotation is abandoned, unless it began after the
        // revocation.
        await rotation(pending).catch(() => undefined);
      }
      unfinished = undefined;
    }
  }
  await parts.deploy();
  const labels = {
    next: secrets.holder('NEXT'),
    named: secrets.readable.next,
    published: secrets.keySet.keys.flatMap(({ version }) => version ?? []),
    current: secrets.current,
  };
  pass(2 * tokenLifetimeSeconds);
  return { ...held, revoked, failures, labels, end: clock.time };
}

/** Runs operations concurrently, one call at a time. */
async function interleave(
  secrets: Secrets,
  turns: readonly number[],
  operations: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const waiting: (() => void)[] = [];
  secrets.turn = () => new Promise<void>((resolve) => waiting.push(resolve));
  let running = operations.length;
  const count = () => {
    running -= 1;
  };
  const all = Promise.all(operations.map((operation) => operation().finally(count)));
  for (let turn = 0; running > 0; turn++) {
    // The order of the operations is the same for every duration of a call, such as a signature.
    while (waiting.length < running) {
      await new Promise(setImmediate);
    }
    waiting.splice((turns[turn % turns.length] ?? 0) % Math.max(1, waiting.length), 1)[0]?.();
  }
  secrets.turn = async () => undefined;
  await all;
}

/** Records the content of the two secrets after each write from now on. */
function holding({ store: secrets, clock }: Deployed) {
  const keys: Held<string>[] = [];
  const sets: Held<Secrets['keySet']>[] = [];
  secrets.written = () => {
    keys.push({ value: secrets.readable.key.kid, from: clock.time });
    sets.push({ value: secrets.keySet, from: clock.time });
  };
  secrets.written();
  return { keys, sets };
}

/** Seconds, short and long: for rotations in a row, ageing caches, expiring tokens and nights. */
const wait = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 700 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
);
const rotation = fc.record(
  { rotateWithSecondsBetweenSteps: fc.nat({ max: 20 }), diesAfterWrites: fc.nat({ max: 12 }) },
  { requiredKeys: ['rotateWithSecondsBetweenSteps'] },
);
const which = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 3 }) },
  { weight: 1, arbitrary: fc.constant('all' as const) },
);
const revocation = fc.record({ revokePublishedKey: which, diesAfterWrites: fc.nat({ max: 8 }) });
const deployment = fc.record({ deployAndDieAfterWrites: fc.nat({ max: 5 }) });
const meanwhile = fc.record({
  revokeMeanwhile: which,
  other: fc.constantFrom('rotate' as const, 'deploy' as const),
  turns: fc.array(fc.nat({ max: 1 }), { minLength: 8, maxLength: 24 }),
});
const historiesOf = (...events: readonly fc.Arbitrary<Event>[]): fc.Arbitrary<History> =>
  fc.array(fc.tuple(wait, fc.oneof(...events)), { minLength: 10, maxLength: 30 });

/** Rotations and deployments, some of which die and are repeated. */
export const rotations = historiesOf(rotation, rotation, deployment);

export const rotationsAndRevocations = historiesOf(rotation, rotation, revocation, deployment, meanwhile);
