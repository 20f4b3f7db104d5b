import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { StartProblem } from '../../emulator/shared/errors.ts';

const lockSchema = v.object({ pid: v.number(), startTime: v.nullable(v.string()) });

type Lock = v.InferOutput<typeof lockSchema>;

/**
 * Makes sure that one process alone uses a state folder. The lock of a process that was killed is taken over.
 *
 * @returns gives the lock back
 * @throws {StartProblem} when another run holds it
 */
export function takeLock(path: string): () => void {
  if (!createLock(path)) {
    takeOver(path);
  }
  return () => {
    if (readLock(path)?.pid === process.pid) {
      rmSync(path, { force: true });
    }
  };
}

/** Creates the lock with its content in one step, so that nobody reads half of it. @returns false when there is one */
function createLock(path: string): boolean {
  const own: Lock = { pid: process.pid, startTime: startTimeOf(process.pid) };
  const complete = `${path}.${process.pid}`;
  writeFileSync(complete, JSON.stringify(own), { mode: 0o600 });
  try {
    linkSync(complete, path);
    return true;
  } catch (error) {
    if (isExisting(error)) {
      return false;
    }
    throw error;
  } finally {
    rmSync(complete, { force: true });
  }
}

/** A guard that is older than this was left by a process that was killed while it took over. */
const guardLifetimeMilliseconds = 10_000;

/** Replaces the lock of a dead process. Only one process at a time may do so: none removes the new lock of another. */
function takeOver(path: string): void {
  refuseIfHeld(path);
  const guard = `${path}.takeover`;
  if (isOlderThan(guard, guardLifetimeMilliseconds)) {
    rmSync(guard, { force: true });
  }
  try {
    writeFileSync(guard, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw isExisting(error) ? inUse(path, undefined) : error;
  }
  try {
    refuseIfHeld(path);
    rmSync(path, { force: true });
    if (!createLock(path)) {
      throw inUse(path, readLock(path)?.pid);
    }
  } finally {
    rmSync(guard, { force: true });
  }
}

function refuseIfHeld(path: string): void {
  const holder = readLock(path);
  if (holder && isAlive(holder)) {
    throw inUse(path, holder.pid);
  }
}

function isOlderThan(path: string, milliseconds: number): boolean {
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return modified !== undefined && Date.now() - modified > milliseconds;
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

function inUse(path: string, pid: number | undefined): StartProblem {
  const who = pid === undefined ? '' : ` (process ${pid})`;
  return new StartProblem(
    `Another local run${who} uses this state folder; its lock is ${path}. ` +
      'Stop it, or choose another folder with --state (and other ports with --port and --aws-port).',
  );
}

function readLock(path: string): Lock | undefined {
  try {
    return v.parse(lockSchema, JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** A process ID alone proves little: after a restart of the machine or container another process may have it. */
function isAlive(lock: Lock): boolean {
  try {
    process.kill(lock.pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') {
      return false;
    }
  }
  return lock.pid !== process.pid && lock.startTime === startTimeOf(lock.pid);
}

/**
 * When a process started, in clock ticks since boot (proc(5), field 22). Null where there is no /proc, and for a
 * process that is dead and only waits for its parent to notice (field 3).
 */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /^[ZX]/.test(fields[0] ?? '') ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
