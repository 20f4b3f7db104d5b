import { createHash } from 'node:crypto';
import { type BigIntStats, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

/** By what a file is recognised later. */
export const fileStampSchema = v.object({
  path: v.string(),
  /** Size, times and number of the file; `absent` when there is none. The system changes the times with the content. */
  stat: v.string(),
  /** SHA-256 of the content, for files that may be written again without a change. */
  sha256: v.optional(v.string()),
});

export type FileStamp = v.InferOutput<typeof fileStampSchema>;

/** @param withContent whether the file is also recognised by its content */
export function stampFile(path: string, withContent: boolean): FileStamp {
  const stat = statOf(path);
  const isHashed = withContent && stat?.isFile() === true;
  return { path, stat: textOf(stat), ...(isHashed ? { sha256: digestOf(path) } : {}) };
}

/** Whether the file is as it was, as far as its size, its times and its number show, or else its content. */
export function isUnchanged({ path, stat, sha256 }: FileStamp): boolean {
  const now = statOf(path);
  if (textOf(now) === stat) {
    return true;
  }
  return sha256 !== undefined && now?.isFile() === true && digestOf(path) === sha256;
}

/** Whether both files exist and hold the same. */
export function isSameContent(one: string, other: string): boolean {
  const [size, otherSize] = [one, other].map((path) => statOf(path)?.size);
  return size !== undefined && size === otherSize && digestOf(one) === digestOf(other);
}

/** Whether a file was written after a time, in milliseconds since the epoch. */
export function isNewer(path: string, milliseconds: number): boolean {
  const stat = statOf(path);
  return (
    stat !== undefined && Number(stat.mtimeMs > stat.ctimeMs ? stat.mtimeMs : stat.ctimeMs) >= milliseconds
  );
}

/** Every file below a folder, without following links. None when there is no folder. */
export function filesBelow(folder: string): readonly string[] {
  const stat = statOf(folder);
  if (stat?.isDirectory() !== true) {
    return [];
  }
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

function textOf(stat: BigIntStats | undefined): string {
  if (stat === undefined) {
    return 'absent';
  }
  return [stat.mode, stat.size, stat.mtimeNs, stat.ctimeNs, stat.ino].join(' ');
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
