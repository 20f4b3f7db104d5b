import { createInterface, type Interface } from 'node:readline/promises';
import { CommandError, Interrupted, UsageError } from './errors.ts';

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
 * @throws {CommandError} when the answer is no, or Ctrl-D
 * @throws {Interrupted} when the answer is Ctrl-C
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
    const answer = await ask(prompt, `${question} Type yes to continue: `);
    if (answer === 'interrupted' || answer === 'closed') {
      // The answer has no line break of its own.
      stderr.write('\n');
    }
    if (answer === 'interrupted') {
      throw new Interrupted();
    }
    if (!/^y(es)?$/i.test(answer.trim())) {
      throw new CommandError('Nothing was changed.');
    }
  } finally {
    prompt.close();
  }
}

/** Without the two handlers, Ctrl-C and Ctrl-D would leave the question without an answer for ever. */
function ask(prompt: Interface, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    prompt.once('SIGINT', () => resolve('interrupted'));
    prompt.once('close', () => resolve('closed'));
    prompt.question(question).then(resolve, reject);
  });
}
