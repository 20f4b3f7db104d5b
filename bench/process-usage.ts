import { readdir, readFile } from 'node:fs/promises';

/**
 * CPU time that a process has used since it started, in microseconds: of all threads that are still there, user and
 * system. Linux counts it in nanoseconds (proc(5), /proc/PID/task/TID/schedstat).
 */
export async function cpuMicroseconds(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const times = await Promise.all(threads.map((thread) => threadNanoseconds(pid, thread)));
  return times.reduce((sum, time) => sum + time, 0) / 1000;
}

/** A thread that ended meanwhile counts nothing. */
async function threadNanoseconds(pid: number, thread: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
  return Number(text.split(' ')[0]);
}

/** Memory of a process in bytes: now, and the most that it ever had (proc(5), VmRSS and VmHWM). */
export async function memory(pid: number): Promise<{ readonly now: number; readonly peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}
