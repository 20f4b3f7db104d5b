import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningStack } from './running-stack.ts';

/** Adds lines to the log of `token`. */
export async function writeTokenLog(
  { resources, stateDirectory }: RunningStack,
  lines: readonly object[],
): Promise<void> {
  const name = resources.find(({ logicalId }) => logicalId.startsWith('TokenFunction'))?.ref;
  const path = join(stateDirectory, 'logs', `${name}.log`);
  await appendFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
