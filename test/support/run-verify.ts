import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { runVerify, type VerifyContext } from '../../tools/verify/program.ts';
import { TextCollector } from './text-stream.ts';

/**
 * Runs `npm run verify` in this process, without a terminal.
 *
 * @param context differences from the context of most tests
 */
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
    // The clean-up need not wait, because no requests to the service are in progress.
    sleep: async () => undefined,
    signal: new AbortController().signal,
    ...context,
  });
  return { code, stdout: stdout.text, stderr: (stderr.read() as Buffer | null)?.toString('utf8') ?? '' };
}
