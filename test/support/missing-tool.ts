import { spawnSync } from 'node:child_process';

/** The Go toolchain must not download anything in a test. */
export const offline = { GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly -buildvcs=false' };

/**
 * Returns the reason why a test cannot run here: its tool is not installed, or fails. The title of a skipped
 * test must contain the reason, or `.ci/summary.mjs` counts the test as failed.
 */
export function lacks(tool: string, ...parameters: readonly string[]): string | undefined {
  const env = { ...process.env, ...offline };
  const { status } = spawnSync(tool, parameters, { env, stdio: 'ignore' });
  return status === 0 ? undefined : `not run: "${[tool, ...parameters].join(' ')}" fails on this machine`;
}
