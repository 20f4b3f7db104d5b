import packageJson from '../../package.json' with { type: 'json' };
import { programWords } from '../terminal/help.ts';
import { handleClosedOutputs } from '../terminal/output.ts';
import { runUpload } from './program.ts';

handleClosedOutputs(process.stdout, process.stderr);
process.exitCode = await runUpload(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  words: programWords('upload', process.env),
  version: packageJson.version,
});
