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
 * Asks for confirmation before a change.
 *
 * @param yes true if `--yes` was set, which skips the question
 * @param typed text that confirms, such as the id of an organisation
 * @throws {UsageError} if no terminal is attached
 * @throws {CommandError} if the answer is no, or on Ctrl-C
 */
export async function confirm(
  question: string,
  yes: boolean,
  { stdin, stderr }: Terminal,
  typed = 'yes',
): Promise<void> {
  if (yes) {
    return;
  }
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new UsageError(
      `${question} No terminal is attached to ask for confirmation: add --yes to confirm.`,
    );
  }
  const answer = await ask(`${question} Type ${typed} to continue: `, stdin, stderr);
  const given = answer.trim();
  if (typed === 'yes' ? !/^y(es)?$/i.test(given) : given !== typed) {
    throw new CommandError(`${typed === 'yes' ? '' : `The text was not ${typed}. `}Nothing was changed.`);
  }
}

/**
 * Reads a secret from standard input. On a terminal, it prompts for one line without showing the typed text.
 * Otherwise, it reads all input.
 *
 * @param question prompt on a terminal
 * @throws {CommandError} on Ctrl-C
 */
export async function readSecret(question: string, { stdin, stderr }: Terminal): Promise<string> {
  if (!stdin.isTTY) {
    // Not `text`, which removes a byte order mark: an application would send the mark.
    return (await buffer(stdin)).toString().replace(/\r?\n$/, '');
  }
  stderr.write(question);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const answer = await ask('', stdin, hidden);
  stderr.write('\n');
  return answer.trim();
}

/**
 * Prompts for one line. Ctrl-C and Ctrl-D close the prompt and end the command. Some versions of Node.js do
 * not settle the question then.
 */
async function ask(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string> {
  // In terminal mode, readline reads each key, and the system echoes none.
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
