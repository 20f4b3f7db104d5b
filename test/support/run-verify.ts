import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { runVerify, type VerifyContext } from '../../tools/verify/program.ts';
import { TextCollector } from './text-stream.ts';

/** Runs `npm run verify` in this process, on no terminal. @param context what is not as in most tests */
export async function verify(parameters: readonly string[], context: Partial<VerifyContext>) {
  const stdout = new TextCollector({ isTTY: false });
  const stderr = Object.assign(new PassThrough(), { isTTY: false });
  const code = await runVerify(parameters, {
    stdin: new PassThrough(),
    stdout,
    stderr,
    env: {},
    openLocal: () => expect.fail('opens a local run'),
    openStack: () => expect.fail('opens a stack'),
    // Nothing is asked of the service any more when the clean-up begins.
    sleep: async () => undefined,
    signal: new AbortController().signal,
    ...context,
  });
  return { code, stdout: stdout.text, stderr: (stderr.read() as Buffer | null)?.toString('utf8') ?? '' };
}
