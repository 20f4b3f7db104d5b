import { diskReason } from '../shared/disk-trouble.ts';
import { AwsError } from '../shared/errors.ts';

export interface KeptStoreParts<Store> {
  readonly open: () => Store;
  /** Fails when the store could not be opened. */
  readonly check: (store: Store) => Promise<void>;
  readonly close: (store: Store) => Promise<void>;
  /** Fails while there is too little space to open the store. */
  readonly requireSpace: () => Promise<void>;
}

/** A store that is opened again after a full disk. */
export interface KeptStore<Store> {
  /** @throws {AwsError} 500 InternalServerError for a write while the store cannot be opened again */
  readonly use: <Result>(isRead: boolean, act: (store: Store) => Promise<Result>) => Promise<Result>;
  readonly close: () => Promise<void>;
}

/**
 * After a write that failed, LevelDB's log may end in half a record, and what came after it would be lost at the next
 * start. So nothing more is written until the store was opened again, which begins a new log. Until there is space for
 * that, writes fail and reads go on.
 */
export function keepStore<Store>(parts: KeptStoreParts<Store>): KeptStore<Store> {
  const { open, check, close, requireSpace } = parts;
  let store = open();
  let broken = false;
  let repairing: Promise<void> | undefined;
  const active = new Set<Promise<unknown>>();
  const repair = async () => {
    await requireSpace();
    await Promise.allSettled([...active]);
    await close(store);
    store = open();
    await check(store);
    broken = false;
  };
  const repaired = async () => {
    repairing ??= repair().finally(() => {
      repairing = undefined;
    });
    await repairing;
  };
  return {
    close: () => close(store),
    use: async (isRead, act) => {
      if (broken) {
        await repaired().catch((error) => {
          if (!isRead) {
            throw storeFailed(error);
          }
        });
      }
      const result = act(store);
      active.add(result);
      try {
        return await result;
      } catch (error) {
        broken ||= !isRead && diskReason(error) !== undefined;
        throw error;
      } finally {
        active.delete(result);
      }
    },
  };
}

function storeFailed(cause: unknown): AwsError {
  const error = new AwsError(500, 'InternalServerError', 'The store failed', { cause: String(cause) });
  return Object.assign(error, { cause });
}
