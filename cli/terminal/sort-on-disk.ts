import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { merge } from '../operations/merge.ts';
import type { Compare, Sort } from '../operations/newest-first.ts';
import type { Pages } from '../operations/pages.ts';

interface SortOnDiskOptions {
  /** How much JSON to hold in memory before it goes to disk, in UTF-16 code units. */
  readonly maximumLength?: number;
  /** So many runs are merged into one, which bounds the open files. */
  readonly maximumRuns?: number;
  readonly folder?: string;
}

/**
 * Makes an external merge sort: sorted runs of entries go to temporary files as JSON, and are merged as they are read.
 * What fits in memory stays there. The entries must be plain JSON.
 */
export function sortOnDisk({
  maximumLength = 8_000_000,
  maximumRuns = 32,
  folder = tmpdir(),
}: SortOnDiskOptions = {}): Sort {
  return async function* sort<Entry extends object>(pages: Pages<Entry>, compare: Compare<Entry>) {
    const runs = new Runs(folder, compare, maximumRuns);
    try {
      let held: Entry[] = [];
      let length = 0;
      for await (const page of pages) {
        for (const entry of page) {
          held.push(entry);
          length += JSON.stringify(entry).length;
        }
        if (length > maximumLength) {
          await runs.add([held.sort(compare)]);
          held = [];
          length = 0;
        }
      }
      yield* runs.mergedWith(held.sort(compare));
    } finally {
      await runs.close();
    }
  };
}

/** Sorted runs in files. Runs of one level have about the same length. */
class Runs<Entry extends object> {
  readonly #levels: FileHandle[][] = [];
  readonly #folder: string;
  readonly #compare: Compare<Entry>;
  readonly #maximum: number;

  constructor(folder: string, compare: Compare<Entry>, maximum: number) {
    this.#folder = folder;
    this.#compare = compare;
    this.#maximum = maximum;
  }

  async add(pages: Iterable<readonly Entry[]> | Pages<Entry>, level = 0): Promise<void> {
    this.#levels[level] ??= [];
    const runs = this.#levels[level];
    const file = await openTemporary(this.#folder);
    runs.push(file);
    for await (const page of pages) {
      await file.appendFile(page.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    }
    if (runs.length === this.#maximum) {
      await this.add(merge(runs.map(readRun<Entry>), this.#compare, partLength), level + 1);
      this.#levels[level] = [];
      await Promise.all(runs.map((run) => run.close()));
    }
  }

  mergedWith(held: readonly Entry[]): Pages<Entry> {
    return merge([...this.#levels.flat().map(readRun<Entry>), inParts(held)], this.#compare, partLength);
  }

  async close(): Promise<void> {
    await Promise.all(this.#levels.flat().map((run) => run.close()));
  }
}

/** A file that only this process sees: it has no name any more, so nothing is left of it however the process ends. */
async function openTemporary(folder: string): Promise<FileHandle> {
  const path = join(folder, `file-sync-list-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function* readRun<Entry>(file: FileHandle): AsyncGenerator<readonly Entry[]> {
  let rest = '';
  for await (const chunk of file.createReadStream({ start: 0, encoding: 'utf8', autoClose: false })) {
    // Not readline: it also splits at U+2028, which JSON does not escape.
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield lines.map((line) => JSON.parse(line) as Entry);
  }
}

const partLength = 1000;

async function* inParts<Entry>(entries: readonly Entry[]): AsyncGenerator<readonly Entry[]> {
  for (let start = 0; start < entries.length; start += partLength) {
    yield entries.slice(start, start + partLength);
  }
}
