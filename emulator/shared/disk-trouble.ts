import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile, temporarySuffix } from './files.ts';

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
  /** Whether the last that is known of the disk is that it is full. */
  readonly isFull: () => boolean;
  /** Ends the watch for space. */
  readonly close: () => void;
}

/** For those who do not ask. */
export const untoldDiskTrouble: DiskTrouble = {
  noteFailure: () => undefined,
  isFull: () => false,
  close: () => undefined,
};

export interface DiskTroubleOptions {
  readonly folder: string;
  /** Takes a line for a person. It is called when the disk becomes full and when that is over. */
  readonly say: (line: string) => void;
  /** Fails while the disk is full. */
  readonly requireSpace?: (folder: string) => Promise<void>;
  readonly watchMilliseconds?: number;
}

/** While the disk is full, it looks for space from time to time, so that an idle run also learns of it. */
export function createDiskTrouble(options: DiskTroubleOptions): DiskTrouble {
  const { folder, say, requireSpace: check = requireSpace, watchMilliseconds = 2000 } = options;
  let full = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const hasSpace = await check(folder).then(
      () => true,
      () => false,
    );
    if (closed) {
      return;
    }
    if (hasSpace) {
      full = false;
      say(`The state in ${folder} can be written again. The run goes on.`);
    } else {
      watch();
    }
  };
  const watch = () => {
    timer = setTimeout(() => void look(), watchMilliseconds).unref();
  };
  return {
    isFull: () => full,
    noteFailure: (error) => {
      const reason = diskReason(error);
      if (reason === undefined || full || closed) {
        return;
      }
      full = true;
      watch();
      say(
        `The state in ${folder} cannot grow: ${reason}. What was stored is safe. Until there is space, requests that ` +
          'store something get 500 and can be sent again, and log lines are dropped. Free some space: the run then ' +
          'goes on by itself.',
      );
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** More than a database writes when it is opened again: what its log holds, up to 4 MB, becomes a table file. */
const neededBytes = 8 * 1024 * 1024;

/**
 * Writes a file and removes it. That also finds the end of a quota.
 *
 * @param folder any folder on the disk. One caller at a time may use it
 * @throws {Error} of the system when the disk has too little space to go on
 */
export async function requireSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  // The file must not take the last space, which others may need at the same time.
  if (bavail * bsize < 2 * neededBytes) {
    throw Object.assign(new Error('ENOSPC: too little space is left'), { code: 'ENOSPC' });
  }
  const path = join(folder, `.space${temporarySuffix}`);
  try {
    await writeFile(path, Buffer.alloc(neededBytes, 1), { mode: 0o600 });
  } finally {
    await removeFile(path);
  }
}
