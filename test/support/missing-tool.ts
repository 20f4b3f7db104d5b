import { spawnSync } from 'node:child_process';

/** The Go toolchain must not download anything in a test. */
export const offline = { GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly -buildvcs=false' };

/**
 * Why a test cannot run here: its tool is not on this machine, or fails. A skipped test must say so in its title, or
 * `.ci/summary.mjs` counts it as failed.
 */
export function lacks(tool: string, ...parameters: readonly string[]): string | undefined {
  const env = { ...process.env, ...offline };
  const { status } = spawnSync(tool, parameters, { env, stdio: 'ignore' });
  return status === 0 ? undefined : `not run: "${[tool, ...parameters].join(' ')}" fails on this machine`;
}
