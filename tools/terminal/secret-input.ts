import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Terminal } from './confirm.ts';

/**
 * Reads a secret from standard input. On a terminal, it asks for one line and shows nothing of what is typed. Elsewhere
 * it reads everything.
 *
 * @param question what to ask on a terminal
 */
export async function readSecret(question: string, { stdin, stderr }: Terminal): Promise<string> {
  return (stdin.isTTY ? await ask(question, { stdin, stderr }) : await text(stdin)).trim();
}

async function ask(question: string, { stdin, stderr }: Terminal): Promise<string> {
  stderr.write(question);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  // As a terminal, so that readline reads key by key and the system shows none of them.
  const prompt = createInterface({ input: stdin, output: hidden, terminal: true });
  const closed = new Promise<string>((resolve) => prompt.once('close', () => resolve('')));
  prompt.once('SIGINT', () => {
    prompt.close();
    process.kill(process.pid, 'SIGINT');
  });
  try {
    return await Promise.race([prompt.question(''), closed]);
  } finally {
    prompt.close();
    stderr.write('\n');
  }
}
