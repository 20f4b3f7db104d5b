import { handleClosedOutputs } from '../cli/terminal/output.ts';
import { runUpload } from '../cli/upload/program.ts';

handleClosedOutputs(process.stdout, process.stderr);
process.exitCode = await runUpload(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
});
