import type { Log } from '../shared/log/log.ts';

/** A resource that AWS can protect from deletion. */
export interface Protectable {
  /** Name of the stack or the table, for the log. */
  readonly name: string;
  readonly isProtected: () => Promise<boolean>;
  readonly protect: () => Promise<void>;
}

interface ProtectDependencies {
  /** CloudFormation User Guide, "Stack status codes". */
  readonly readStatus: () => Promise<string>;
  readonly stack: Protectable;
  readonly tables: readonly Protectable[];
  readonly log: Log;
}

/**
 * True if the stack was ever complete. From then on, only a person deletes it. Until then, the stack must
 * stay unprotected: to repeat a failed creation, people delete the stack first.
 */
function wasComplete(status: string): boolean {
  return status === 'CREATE_COMPLETE' || /^(UPDATE|IMPORT)_/.test(status);
}

/** True if no operation is in progress. A failed operation may delete a table that it created. */
function isIdle(status: string): boolean {
  return /^(CREATE|(UPDATE|IMPORT)(_ROLLBACK)?)_COMPLETE$/.test(status);
}

/**
 * Protects the stack and the tables, as far as the status of the stack allows. After a failure, the others
 * are still tried.
 *
 * @throws the first error, so that Lambda retries
 */
export async function protect({ readStatus, stack, tables, log }: ProtectDependencies): Promise<void> {
  const status = await readStatus();
  const wanted = [...(wasComplete(status) ? [stack] : []), ...(isIdle(status) ? tables : [])];
  const outcomes = await Promise.allSettled(wanted.map((it) => protectOne(it, log)));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) {
    throw failure.reason;
  }
}

async function protectOne(it: Protectable, log: Log): Promise<void> {
  if (await it.isProtected()) {
    return;
  }
  await it.protect();
  log('INFO', 'deletionProtected', { name: it.name });
}
