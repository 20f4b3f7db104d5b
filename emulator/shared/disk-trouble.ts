/** What the errors mean that a disk without space gives. A process may also have a limit of its own (EFBIG). */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would exceed the size limit',
};

/** Why a file cannot grow; undefined for an error of another kind. LevelDB gives the system's words without a code. */
export function diskReason(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
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

/** Whether the disk takes writes, and what a person hears about it. */
export interface DiskTrouble {
  /** Takes the error of a write. Other errors than those of a full disk change nothing. */
  readonly noteFailure: (error: unknown) => void;
  /** Takes note that a write succeeded. */
  readonly noteSuccess: () => void;
  /** Whether the last that is known of the disk is that it is full. */
  readonly isFull: () => boolean;
}

/** @param say takes a line for a person. It is called when the disk becomes full and when that is over */
export function createDiskTrouble(folder: string, say: (line: string) => void): DiskTrouble {
  let full = false;
  return {
    isFull: () => full,
    noteFailure: (error) => {
      const reason = diskReason(error);
      if (reason === undefined || full) {
        return;
      }
      full = true;
      say(
        `The state in ${folder} cannot grow: ${reason}. What was stored is safe. Until there is space, requests that ` +
          'store something get 500 and can be sent again, and log lines are dropped. Free some space: the run then ' +
          'goes on by itself.',
      );
    },
    noteSuccess: () => {
      if (full) {
        full = false;
        say(`The state in ${folder} can be written again. The run goes on.`);
      }
    },
  };
}
