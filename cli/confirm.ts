import { createInterface } from 'node:readline/promises';
import { CommandError, UsageError } from './errors.ts';

/** Where a question can be asked: both ends must be a terminal. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
}

/**
 * Asks before something that cannot be undone.
 *
 * @param yes the flag that answers in advance
 * @throws {UsageError} when there is nobody to ask
 * @throws {CommandError} when the answer is no
 */
export async function confirm(question: string, yes: boolean, { stdin, stderr }: Terminal): Promise<void> {
  if (yes) return;
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new UsageError(`${question} Nobody can be asked here: add --yes if you mean it.`);
  }
  const prompt = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await prompt.question(`${question} Type yes to go on: `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was changed.');
  } finally {
    prompt.close();
  }
}
