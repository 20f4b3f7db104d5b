import { basename } from 'node:path';
import { handleClosedOutputs } from '../terminal/output.ts';
import { runUpload } from './program.ts';

/** The entry point of `dist/file-sync-upload.mjs`, which `npm run build:tools` makes from it. */

handleClosedOutputs(process.stdout, process.stderr);
process.exitCode = await runUpload(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  // The build puts the version in place of this variable.
  version: process.env.FILE_SYNC_TOOL_VERSION ?? 'unbuilt',
  words: typedCommand(process.argv[1]),
});

/** What the user typed to run this file: `node file-sync-upload.mjs`, or the name that it was installed by. */
function typedCommand(path = 'file-sync-upload'): string {
  const name = basename(path);
  return /\.[cm]?js$/.test(name) ? `node ${name}` : name;
}
