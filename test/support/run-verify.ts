import { PassThrough } from 'node:stream';
import type { Assembly } from 'cloud-assembly-emulator';
import { respondWithinMilliseconds } from '../../contract/limits.ts';
import { routeKey, routes } from '../../contract/routes.ts';
import { runVerify, type VerifyContext } from '../../tools/verify/program.ts';
import { readText, TextCollector } from './text-stream.ts';

/**
 * Changes a template so that the speed of the machine does not matter: slow responses raise no alarm, and six requests
 * exceed the rate limit of the API description.
 */
export function forAnySpeed(template: Assembly['template']): Assembly['template'] {
  return JSON.parse(JSON.stringify(template), (key, value) => {
    if (key === routeKey(routes.openapi)) {
      return { ThrottlingRateLimit: 0.01, ThrottlingBurstLimit: 5 };
    }
    return key === 'Threshold' && value === respondWithinMilliseconds / 2 ? 3_600_000 : value;
  });
}

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
  return { code, stdout: stdout.text, stderr: readText(stderr) };
}
