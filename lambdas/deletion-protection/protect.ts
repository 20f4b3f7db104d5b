import type { Log } from '../shared/log/log.ts';

/** Something that AWS can protect from deletion. */
export interface Protectable {
  /** For the log: the name of the stack or of the table. */
  readonly name: string;
  readonly isProtected: () => Promise<boolean>;
  readonly protect: () => Promise<void>;
}

export interface ProtectDependencies {
  /** CloudFormation User Guide, "Stack status codes". */
  readonly readStatus: () => Promise<string>;
  readonly stack: Protectable;
  readonly tables: readonly Protectable[];
  readonly log: Log;
}

/**
 * Whether the stack was ever complete. From then on, only a person deletes it. Until then, the stack must not be
 * protected: to repeat a failed creation, people delete the stack first.
 */
function wasComplete(status: string): boolean {
  return status === 'CREATE_COMPLETE' || /^(UPDATE|IMPORT)_/.test(status);
}

/** Whether no operation is under way. An operation that fails may delete a table that it made. */
function isIdle(status: string): boolean {
  return /^(CREATE|(UPDATE|IMPORT)(_ROLLBACK)?)_COMPLETE$/.test(status);
}

/**
 * Protects the stack and the tables, as far as the status of the stack allows. If one fails, the others are still
 * tried.
 *
 * @throws the first error, so that Lambda tries again
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
