import { codeOf } from './errors.ts';

/** The errors of a disk without space, by their codes. A process may also have a limit of its own (EFBIG). */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would exceed the size limit',
};

/** Why a file cannot grow; undefined for another error. An error of LevelDB has the system's words, and no code. */
export function diskReason(error: unknown): string | undefined {
  const code = codeOf(error) ?? '';
  if (Object.hasOwn(reasons, code)) {
    return `${reasons[code]} (${code})`;
  }
  if (!(error instanceof Error)) {
    return undefined;
  }
  if (/no space left on device/i.test(error.message)) {
    return `${reasons.ENOSPC} (ENOSPC)`;
  }
  if (/file too large/i.test(error.message)) {
    return `${reasons.EFBIG} (EFBIG)`;
  }
  return error.cause === undefined ? undefined : diskReason(error.cause);
}

/** Tells a person that the disk takes no more. */
export interface DiskTrouble {
  /** Takes the error of a write. An error that does not come from a full disk is ignored. */
  readonly noteFailure: (error: unknown) => void;
}

/** After this time, a person who has freed too little space is told again. */
const repeatMilliseconds = 60_000;

/** @param say takes a line for a person, at most once a minute, when a write fails on a full disk */
export function createDiskTrouble(folder: string, say: (line: string) => void): DiskTrouble {
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    noteFailure: (error) => {
      const reason = diskReason(error);
      if (reason === undefined || performance.now() - toldAt < repeatMilliseconds) {
        return;
      }
      toldAt = performance.now();
      say(
        `The state in ${folder} cannot grow: ${reason}. What was stored is safe. Requests that store something get 500. ` +
          'Free some space: then the emulator goes on, without a new start.',
      );
    },
  };
}
