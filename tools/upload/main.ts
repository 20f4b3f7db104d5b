import { once } from 'node:events';
import { toolVersion } from '../operator/doctor/version.ts';
import { exitCodes } from '../terminal/errors.ts';
import { programWords } from '../terminal/help.ts';
import { handleClosedOutputs } from '../terminal/output.ts';
import { runUpload } from './program.ts';

const { argv, env, stdin, stdout, stderr } = process;
handleClosedOutputs(stdout, stderr);
process.exitCode = await runUpload(argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  words: programWords('upload', env, argv[1]),
  version: toolVersion,
  interrupted: once(process, 'SIGINT'),
});
if (process.exitCode === exitCodes.interrupted) {
  // The PUT must end when the command has reported its progress.
  process.exit();
}
