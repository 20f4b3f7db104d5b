import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CommandError, exitCodes, UsageError } from './errors.ts';

/** The streams of a question and its answer. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
}

/**
 * Asks for confirmation before a change that cannot be undone.
 *
 * @param yes whether `--yes` was given, which skips the question
 * @throws {UsageError} when no terminal is attached
 * @throws {CommandError} when the answer is no, or Ctrl-C
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
  const answer = await ask(`${question} Type yes to continue: `, stdin, stderr);
  if (!/^y(es)?$/i.test(answer.trim())) {
    throw new CommandError('Nothing was changed.');
  }
}

/**
 * Reads a secret from standard input. On a terminal, it asks for one line and shows nothing of what is typed. Elsewhere
 * it reads everything.
 *
 * @param question what to ask on a terminal
 * @throws {CommandError} on Ctrl-C
 */
export async function readSecret(question: string, { stdin, stderr }: Terminal): Promise<string> {
  if (!stdin.isTTY) {
    // Not `text`, which takes a byte order mark away: an application would send it.
    return (await buffer(stdin)).toString().replace(/\r?\n$/, '');
  }
  stderr.write(question);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const answer = await ask('', stdin, hidden);
  stderr.write('\n');
  return answer.trim();
}

/** Ctrl-C and Ctrl-D end the command. They close the prompt, and some versions of Node.js leave the question without an answer. */
async function ask(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string> {
  // As on a terminal, readline reads each key, and the system shows none of the keys.
  const prompt = createInterface({ input, output, terminal: true });
  const stopped = once(prompt, 'close').then(() => undefined);
  try {
    const answer = await Promise.race([prompt.question(question).catch(() => undefined), stopped]);
    if (answer === undefined) {
      throw new CommandError('', exitCodes.interrupted);
    }
    return answer;
  } finally {
    prompt.close();
  }
}
