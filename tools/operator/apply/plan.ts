import { isDeepStrictEqual } from 'node:util';
import { type ItemUpdate, updateIfUnchanged } from '../../../storage/attributes.ts';
import type { KeepSecret } from '../clients/client.ts';
import { planClientDeletion } from '../clients/deletion.ts';
import { needsDeletion, updateToMark } from '../deployment/deletion.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import { kinds, readItem, requireNotDeleted, updateItem } from '../deployment/items.ts';
import type { ActionContext } from '../description/action.ts';
import { InvalidInput, messageOf, OperationError } from '../errors.ts';
import { planFileDeletion } from '../files/deletion.ts';
import { forEachItem } from '../organisations/organisation.ts';
import { quoted } from '../text.ts';
import { type Place, type Wanted, wantedOf } from './kinds.ts';
import type { State } from './state.ts';

/** A change that a deployment needs to match a state. */
export interface Change extends Place {
  readonly change: 'create' | 'update' | 'delete';
  /** Attributes of a new client or file. In an update, the values of each attribute before and after. */
  readonly values?: object;
  /** Effects of a deletion, in sentences. */
  readonly question?: string | undefined;
  /**
   * Changes the deployment.
   *
   * @throws {OperationError} when the client or file was changed after the plan
   */
  readonly run: (keepSecret: KeepSecret) => Promise<unknown>;
}

/**
 * Compares a deployment with a state, and plans the changes. Organisations that the state lacks stay unchanged.
 *
 * @param prunes true to delete clients and files that the state lacks, in the organisations of the state
 * @throws {OperationError} when an id belongs to another organisation, or to a deleted client or file
 */
export async function planChanges(
  context: ActionContext,
  state: State,
  prunes: boolean,
): Promise<readonly Change[]> {
  const { deployment } = context;
  const changes: Change[] = [];
  const names = new Set<string>();
  await inParallel(wantedOf(deployment, state), async (wanted) => {
    const name = nameOf(wanted);
    if (names.has(name)) {
      throw new InvalidInput(`The state contains the ${name} twice. Remove one of them.`);
    }
    names.add(name);
    changes.push(...(await planWanted(deployment, wanted)));
  });
  for (const organisation of prunes ? Object.keys(state.organisations) : []) {
    await forEachItem(
      deployment,
      organisation,
      async () => undefined,
      async (noun, id, stored) => {
        const place = { noun, id, organisation };
        // A repeat completes a deletion that failed.
        if (needsDeletion(stored) && !names.has(nameOf(place))) {
          changes.push(await planDeletion(context, place, stored.updated_at));
        }
      },
    );
  }
  return changes.sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
}

function nameOf({ noun, id }: Place): string {
  return `${noun} ${quoted(id)}`;
}

async function planWanted(deployment: Deployment, wanted: Wanted): Promise<readonly Change[]> {
  const { to, updates, create, ...place } = wanted;
  const { noun, id, organisation } = place;
  const item = await readItem(deployment, noun, id);
  if (item === undefined) {
    const run = async (keepSecret: KeepSecret) => {
      // Another operator may have created the client meanwhile. Its new secret would not work.
      if ((await readItem(deployment, noun, id)) !== undefined) {
        throw changedSince(place);
      }
      await create(keepSecret);
    };
    return [{ ...place, change: 'create', values: to, run }];
  }
  const stored = kinds[noun].parse(item);
  if (stored.organisation_id !== organisation) {
    throw new OperationError(
      `The ${nameOf(place)} belongs to organisation ${quoted(stored.organisation_id)}, not to ${quoted(organisation)}. Nothing was changed. Choose another id, or move it to that organisation in the state.`,
    );
  }
  requireNotDeleted(noun, id, stored);
  const [before, after] = [Object(stored), Object(to)];
  const changed = Object.entries(updates).filter(([name]) => !isDeepStrictEqual(before[name], after[name]));
  const values = changed.map(([name]) => [name, { from: before[name], to: after[name] }]);
  const needed = changed.map(([, update]) => update);
  const run = () => updateUnchanged(deployment, place, needed, stored.updated_at);
  return needed.length === 0 ? [] : [{ ...place, change: 'update', values: Object.fromEntries(values), run }];
}

async function planDeletion(context: ActionContext, place: Place, seen: string | undefined): Promise<Change> {
  const { noun, id } = place;
  const plan =
    noun === 'client' ? await planClientDeletion(context, id) : await planFileDeletion(context, id, false);
  const run = async () => {
    await updateUnchanged(context.deployment, place, [updateToMark(context.deployment, noun, id)], seen);
    await plan.run(context);
  };
  return { ...place, change: 'delete', question: plan.question, run };
}

/**
 * Updates an item on condition that no operator changed it.
 *
 * @param seen `updated_at` of the item that was read. Every write of an operator sets it
 */
async function updateUnchanged(
  deployment: Deployment,
  place: Place,
  updates: readonly ItemUpdate[],
  seen = '',
): Promise<void> {
  let last = seen;
  for (const update of updates) {
    const item = await updateItem(deployment, place.noun, updateIfUnchanged(update, last));
    if (item === 'rejected') {
      throw changedSince(place);
    }
    last = item.updated_at?.S ?? '';
  }
}

function changedSince(place: Place): OperationError {
  return new OperationError(`The ${nameOf(place)} was changed after the plan. Run the command again.`);
}

/**
 * Applies planned changes, several at a time. Continues after a failure.
 *
 * @returns a line for each change that failed
 */
export async function applyChanges(
  changes: readonly Change[],
  keepSecret: KeepSecret,
): Promise<readonly string[]> {
  const failures: string[] = [];
  await inParallel(changes, async ({ run, ...change }) => {
    try {
      await run(keepSecret);
    } catch (error) {
      failures.push(`${change.change} ${nameOf(change)} failed: ${messageOf(error)}`);
    }
  });
  return failures;
}
