/**
 * Checks that a deployment of an earlier version can be updated to this checkout without losing data:
 *
 *     npm run check:upgrade -- --from REF [--context NAME=VALUE ...] [--json]
 *
 * REF is a tag, a branch or a commit, or `last-release` for the newest release tag before this commit. Exits with 0 when
 * nothing would be lost or there is no release yet, 1 when something would be, and 2 when it could not be checked.
 */
import '../test/support/quiet-sdk.ts';
import { fileURLToPath } from 'node:url';
import { runCheck } from './upgrade/run-check.ts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interrupted.abort());
}

process.exitCode = await runCheck(process.argv.slice(2), {
  root: fileURLToPath(new URL('../', import.meta.url)),
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  signal: interrupted.signal,
});
