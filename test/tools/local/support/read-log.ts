import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** JSON line of a log. */
export type Line = Readonly<Record<string, unknown>>;

/** Reads the JSON lines of all logs of a run whose file name matches. */
export async function readLog(stateDirectory: string, name: RegExp): Promise<readonly Line[]> {
  const logs = join(stateDirectory, 'logs');
  const files = (await readdir(logs)).filter((file) => name.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(logs, file), 'utf8')));
  const written = texts.join('').split('\n');
  return written.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);
}
