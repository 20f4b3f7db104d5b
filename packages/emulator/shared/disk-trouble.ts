import { codeOf } from './errors.ts';

/**
 * The errors of a disk without space: the code of the system, or the system's words, as LevelDB and the bundler give them. A
 * process may also have a limit of its own (EFBIG).
 */
const reasons = [
  [/ENOSPC|no space left on device/i, 'no space is left on the disk (ENOSPC)'],
  [/EDQUOT|disk quota exceeded/i, 'the disk quota is used up (EDQUOT)'],
  [/EFBIG|file too large/i, 'the file would exceed the size limit (EFBIG)'],
] as const;

/** Why a file cannot grow. Undefined for an error that has another reason. */
export function diskReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const said = `${codeOf(error)} ${error.message}`;
  const known = reasons.find(([pattern]) => pattern.test(said));
  return known?.[1] ?? diskReason(error.cause);
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
