import { mkdir, rmdir, writeFile } from 'node:fs/promises';

/** Holds processes down to a share of one core, as Lambda does. */
export interface CpuShare {
  readonly set: (share: number) => Promise<void>;
  readonly add: (pid: number) => Promise<void>;
  /** The processes in it must have ended. */
  readonly remove: () => Promise<void>;
}

/** The length of a period in microseconds. A shorter one would stop a request more often, for a shorter time. */
const period = 20_000;

/**
 * Makes a control group with a quota of CPU time, of version 2 or 1 (Linux, "CPU Controller", "CFS Bandwidth Control").
 *
 * @returns undefined where this process may not
 */
export async function makeCpuShare(): Promise<CpuShare | undefined> {
  const name = `file-sync-bench-${process.pid}`;
  const kinds = [
    {
      folder: `/sys/fs/cgroup/cpu/${name}`,
      write: async (folder: string, quota: number) => {
        await writeFile(`${folder}/cpu.cfs_period_us`, String(period));
        await writeFile(`${folder}/cpu.cfs_quota_us`, String(quota));
      },
    },
    {
      folder: `/sys/fs/cgroup/${name}`,
      write: (folder: string, quota: number) => writeFile(`${folder}/cpu.max`, `${quota} ${period}`),
    },
  ];
  for (const { folder, write } of kinds) {
    const set = (share: number) => write(folder, Math.round(share * period));
    if (await succeeds(mkdir(folder))) {
      if (await succeeds(set(1))) {
        return {
          set,
          add: (pid) => writeFile(`${folder}/cgroup.procs`, String(pid)),
          remove: () => rmdir(folder),
        };
      }
      await succeeds(rmdir(folder));
    }
  }
  return undefined;
}

async function succeeds(action: Promise<unknown>): Promise<boolean> {
  return action.then(
    () => true,
    () => false,
  );
}
