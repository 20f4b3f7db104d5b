import fc from 'fast-check';
import type { CreatedObject } from '../../../lambdas/shared/recording/bucket.ts';
import { id, objectOf } from '../shared/recording/fake-store.ts';
import type { Past, State } from './any-order-model.ts';
import { dueAt, lastCheckAt, startHistory } from './history.ts';

const numbers = [1, 2, 3, 4, 5];

/** An event in the life of an upload; plain data, so that a failed plan is readable. */
type Action = readonly [name: keyof typeof acts, number: number];

interface Plan {
  /** The actions of a wave happen at the same time. */
  readonly waves: readonly (readonly Action[])[];
  /** Numbers of the calls of a table, a bucket or a bus at which the process dies. */
  readonly crashes: readonly number[];
}

/** A history and its events so far. */
const startWorld = () => ({
  ...startHistory(numbers.length),
  /** Events of S3, in the order of storing. */
  events: [] as CreatedObject[],
  ended: new Set<string>(),
  storedTwice: new Set<string>(),
  runs: 0,
});

type World = ReturnType<typeof startWorld>;

/** Runs a plan, and then the reconciliation until the end. */
export async function live({ waves, crashes }: Plan): Promise<Past> {
  const world = startWorld();
  const states: State[] = [];
  const watch = () => {
    if (isLeft(world)) {
      states.push(stateOf(world));
    }
  };
  let calls = 0;
  world.store.crashPoint = () => {
    watch();
    calls += 1;
    if (crashes.includes(calls)) {
      throw new Error('crash');
    }
  };
  for (const wave of waves) {
    // A dead process is not restarted here: the reconciliation must complete its work.
    await Promise.allSettled(wave.map(async ([name, number]) => acts[name](number, world)));
  }
  world.store.crashPoint = watch;
  await settle(world);
  return { ...world, states, end: stateOf(world) };
}

const acts = {
  /** Completes a PUT to an upload URL. S3 accepts it unless the object exists. */
  put: (number, world) => {
    if (mayStore(world) && !world.objects.has(objectOf(number).key)) {
      create(objectOf(number), world);
    }
  },
  /** Sends a second PUT, which S3 should never accept. */
  putAgain: (number, world) => {
    const { key, versionId } = objectOf(number);
    if (mayStore(world) && world.objects.get(key)?.versionId === versionId) {
      create(objectOf(number, { versionId: `second-${number}`, size: 99 }), world);
      world.storedTwice.add(key);
    }
  },
  /** Cancels an upload as an operator. */
  cancel: (number, world) => {
    if (createTombstone(number, world)) {
      world.store.change(id(number), { state: 'cancelled', cancelled_at: '2026-01-31T08:40:00.000Z' });
    }
  },
  /** Interrupts a cancel command before it marks the upload. */
  cancelInPart: (number, world) => void createTombstone(number, world),
  /** Delivers an event, possibly a second time. */
  event: async (place, { events, deliver }) => {
    const event = events[place % events.length];
    return event && deliver(event);
  },
  reconcile: (_, world) => world.run(runAt(world.runs++)),
  /** Deletes the file as an operator. The index does not show the unseen upload if it was just issued. */
  deleteFile: (unseen, world) => {
    const ends = { deleted_at: '2026-01-31T08:50:00.000Z', delete_after: '2026-03-02T08:50:00.000Z' };
    world.store.change('orders.csv', ends);
    for (const number of numbers) {
      deleteUpload(number, number === unseen, ends, world);
    }
  },
} satisfies Record<string, (number: number, world: World) => unknown>;

/**
 * A day after the URLs expired, no PUT is in progress. Events may still arrive, also from the dead-letter
 * queue.
 */
const mayStore = ({ runs }: World) => runs <= 2;

function create(object: CreatedObject, { put, events, ended }: World, tombstone?: string): void {
  put(object, tombstone);
  events.push(object);
  ended.add(object.key);
}

/** @returns true if the upload could be cancelled */
function createTombstone(number: number, world: World): boolean {
  const tombstone = objectOf(number, { versionId: `tombstone-${number}`, size: 0 });
  const isIssued = world.upload(number).state === 'issued';
  const canCancel = mayStore(world) && isLeft(world) && isIssued && !world.objects.has(tombstone.key);
  if (canCancel) {
    create(tombstone, world, 'cancelled');
  }
  return canCancel;
}

/** Deletes an upload with its file, as the command does (tools/operator/organisations/delete.ts). */
function deleteUpload(
  number: number,
  isUnseen: boolean,
  ends: Readonly<Record<string, string>>,
  { store, objects, put, upload }: World,
): void {
  const { key, state, expired_at, due_at, superseded_at = dueAt } = upload(number);
  const object = objects.get(key);
  const isUnused = state === 'issued' && object === undefined;
  if (isUnused && isUnseen && expired_at === undefined) {
    return;
  }
  if (isUnused && due_at !== undefined) {
    put(objectOf(number, { versionId: `tombstone-${number}`, size: 0 }), 'cancelled');
    store.change(id(number), { state: 'cancelled', cancelled_at: dueAt });
  } else if (object !== undefined && object.size > 0) {
    put(objectOf(number, { versionId: `deleted-${number}`, size: 0 }), 'superseded');
  }
  store.change(id(number), { superseded_at, ...ends });
}

/** Runs the reconciliation until it has retried all failures and deleted all replaced content. */
async function settle(world: World): Promise<void> {
  if (isLeft(world)) {
    removeSecondVersion(world);
  }
  const { runs } = world;
  for (const run of [Math.min(runs, 1), runs + 2, runs + 3, runs + 4, runs + 5]) {
    await world.run(runAt(run));
  }
}

/** Removes the second version of the content, as the alarm tells operators to do. */
function removeSecondVersion({ store, objects }: World): void {
  const version = store.file().content?.version_id;
  for (const object of numbers.map((number) => objectOf(number))) {
    if (object.versionId === version) {
      objects.set(object.key, object);
    }
  }
}

/**
 * Returns the time of a run. The URLs have just expired at the first two runs. The others follow a day later
 * and more, an hour apart.
 */
function runAt(run: number): string {
  const [start, hours] = run < 2 ? [dueAt, run] : [lastCheckAt, run - 2];
  return new Date(Date.parse(start) + hours * 3_600_000).toISOString();
}

const isLeft = ({ store }: World) => store.items.get('orders.csv')?.deleted_at === undefined;

const stateOf = ({ store, objects, upload }: World): State => ({
  uploads: numbers.map((each) => upload(each)),
  content: store.file().content,
  objects: new Map(objects),
  announced: [...store.announced],
});

const number = fc.constantFrom(...numbers);

const action = (name: Action[0], on = number) => fc.tuple(fc.constant(name), on);

const ordinary = fc.oneof(
  { weight: 8, arbitrary: action('put') },
  { weight: 1, arbitrary: action('cancel') },
  { weight: 1, arbitrary: action('cancelInPart') },
  { weight: 16, arbitrary: action('event', fc.nat({ max: 11 })) },
  { weight: 4, arbitrary: action('reconcile', fc.constant(0)) },
);

/** @param other one of 16 actions */
const plansWith = (other: fc.Arbitrary<Action>): fc.Arbitrary<Plan> => {
  const one = fc.oneof({ weight: 15, arbitrary: ordinary }, { weight: 1, arbitrary: other });
  return fc.record({
    waves: fc.array(fc.array(one, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 15 }),
    crashes: fc.array(fc.nat({ max: 120 }), { maxLength: 6 }),
  });
};

/** Some uploads are stored twice. */
export const plans = plansWith(action('putAgain'));

/** The file is deleted, perhaps more than once. */
export const plansThatDelete = plansWith(action('deleteFile')).filter(({ waves }) =>
  waves.flat().some(([name]) => name === 'deleteFile'),
);
