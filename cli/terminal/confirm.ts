import { createInterface } from 'node:readline/promises';
import { CommandError, UsageError } from '../errors.ts';

/** The streams of a question and its answer. Both must be a terminal. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
}

/**
 * Asks for confirmation before a change that cannot be undone.
 *
 * @param yes whether `--yes` was given, which skips the question
 * @throws {UsageError} when no terminal is attached
 * @throws {CommandError} when the answer is no
 */
export async function confirm(question: string, yes: boolean, { stdin, stderr }: Terminal): Promise<void> {
  if (yes) {
    return;
  }
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new UsageError(
      `${question} No terminal is attached to ask for confirmation: add --yes to confirm.`,
    );
  }
  const prompt = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await prompt.question(`${question} Type yes to continue: `);
    if (!/^y(es)?$/i.test(answer.trim())) {
      throw new CommandError('Nothing was changed.');
    }
  } finally {
    prompt.close();
  }
}
