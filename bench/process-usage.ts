import { readFile } from 'node:fs/promises';

/** Linux counts CPU time in hundredths of a second for programs (proc(5), `sysconf(_SC_CLK_TCK)`). */
const microsecondsOfTick = 10_000;

/**
 * CPU time that a process has used since it started, in microseconds: user and system, of all threads, those that have
 * ended included. It comes in steps of 10 ms, so what is measured should take some hundred (proc(5), /proc/PID/stat).
 */
export async function cpuMicroseconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field, the name of the program, is in brackets and may hold blanks. utime and stime are 14 and 15.
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * microsecondsOfTick;
}

/** Memory of a process in bytes: now, and the most that it ever had (proc(5), VmRSS and VmHWM). */
export async function memory(pid: number): Promise<{ readonly now: number; readonly peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}
