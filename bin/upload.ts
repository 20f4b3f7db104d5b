import { programWords } from '../cli/terminal/help.ts';
import { handleClosedOutputs } from '../cli/terminal/output.ts';
import { runUpload } from '../cli/upload/program.ts';
import packageJson from '../package.json' with { type: 'json' };

handleClosedOutputs(process.stdout, process.stderr);
process.exitCode = await runUpload(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  words: programWords('upload', process.env),
  version: packageJson.version,
});
