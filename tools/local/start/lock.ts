import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { StartProblem } from 'cloud-assembly-emulator';
import * as v from 'valibot';
import { systemCode } from '../../operator/errors.ts';

const lockSchema = v.object({ pid: v.number(), startTime: v.nullable(v.string()) });

type Lock = v.InferOutput<typeof lockSchema>;

/**
 * Locks a state folder for this process. It takes over the lock of a process that was killed.
 *
 * @returns function that releases the lock
 * @throws {StartProblem} if another run uses the folder
 */
export function takeLock(path: string): () => void {
  const holder = readLock(path);
  if (holder !== undefined && isAlive(holder)) {
    throw inUse(path, ` (process ${holder.pid})`);
  }
  rmSync(path, { force: true });
  const own: Lock = { pid: process.pid, startTime: startTimeOf(process.pid) };
  try {
    writeFileSync(path, JSON.stringify(own), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw systemCode(error) === 'EEXIST' ? inUse(path, '') : error;
  }
  return () => {
    if (readLock(path)?.pid === process.pid) {
      rmSync(path);
    }
  };
}

function inUse(path: string, who: string): StartProblem {
  return new StartProblem(
    `Another local run${who} uses this state folder; its lock is ${path}. ` +
      'Stop it, or choose another folder with --state (and other ports with --port and --aws-port).',
  );
}

function readLock(path: string): Lock | undefined {
  try {
    return v.parse(lockSchema, JSON.parse(String(readFileSync(path))));
  } catch {
    return undefined;
  }
}

/**
 * Returns true if the process of a lock is running. It compares the start time too: after a restart of the
 * machine or container, another process may use the same process id.
 */
function isAlive({ pid, startTime }: Lock): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') {
      return false;
    }
  }
  return pid !== process.pid && startTime === startTimeOf(pid);
}

/**
 * Returns the start time of a process in clock ticks since boot (proc(5), field 22). Null on systems without
 * /proc.
 */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
