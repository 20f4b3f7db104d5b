import { codeOf } from './errors.ts';

/**
 * Errors of a full disk: the code of the system, or its message as LevelDB and the bundler report it. A
 * process may also exceed its own limit (EFBIG).
 */
const reasons = [
  [/ENOSPC|no space left on device/i, 'no space is left on the disk (ENOSPC)'],
  [/EDQUOT|disk quota exceeded/i, 'the disk quota is used up (EDQUOT)'],
  [/EFBIG|file too large/i, 'the file would exceed the size limit (EFBIG)'],
] as const;

/** Returns the reason why a file cannot grow; undefined for an error with another reason. */
export function diskReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const said = `${codeOf(error)} ${error.message}`;
  const known = reasons.find(([pattern]) => pattern.test(said));
  return known?.[1] ?? diskReason(error.cause);
}

/** Reports a full disk to people. */
export interface DiskTrouble {
  /** Reports the error of a write. Ignores an error with another cause than a full disk. */
  readonly noteFailure: (error: unknown) => void;
}

/** Minimum time between two messages, for a person who has freed too little space. */
const repeatMilliseconds = 60_000;

/**
 * @param say function that is called with a message for people, at most once a minute, when a write fails on
 * a full disk
 */
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
