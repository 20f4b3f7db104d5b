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
export function fullDiskReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const message = `${codeOf(error)} ${error.message}`;
  const known = reasons.find(([pattern]) => pattern.test(message));
  return known?.[1] ?? fullDiskReason(error.cause);
}

/** Reports a full disk to people. */
export interface FullDiskReporter {
  /** Reports the error of a write. Ignores an error with another cause than a full disk. */
  readonly reportFailure: (error: unknown) => void;
}

/** Minimum time between two messages, for a person who has freed too little space. */
const repeatMilliseconds = 60_000;

/**
 * @param notify function that is called with a message for people, at most once a minute, when a write fails on
 * a full disk
 */
export function createFullDiskReporter(folder: string, notify: (line: string) => void): FullDiskReporter {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    reportFailure: (error) => {
      const reason = fullDiskReason(error);
      if (reason === undefined || performance.now() - reportedAt < repeatMilliseconds) {
        return;
      }
      reportedAt = performance.now();
      notify(
        `The state in ${folder} cannot grow: ${reason}. Stored data is safe. Requests that store data fail with 500. ` +
          'Free some space, and start again.',
      );
    },
  };
}
