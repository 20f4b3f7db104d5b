import { once } from 'node:events';
import packageJson from '../../package.json' with { type: 'json' };
import { exitCodes } from '../terminal/errors.ts';
import { programWords } from '../terminal/help.ts';
import { handleClosedOutputs } from '../terminal/output.ts';
import { runUpload } from './program.ts';

handleClosedOutputs(process.stdout, process.stderr);
process.exitCode = await runUpload(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  words: programWords('upload', process.env, process.argv[1]),
  // `npm run build:tools` replaces this variable with the version. It exists only in the built file.
  version: process.env.FILE_SYNC_TOOL_VERSION ?? packageJson.version,
  interrupted: once(process, 'SIGINT'),
});
if (process.exitCode === exitCodes.interrupted) {
  // The PUT must end when the command has reported its progress.
  process.exit();
}
