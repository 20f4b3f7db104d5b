import { endOnClosedOutput, outliveClosedErrors } from '../cli/pipe.ts';
import { runProgram } from '../cli/run-program.ts';
import { createUploadProgram } from '../cli/upload/program.ts';

outliveClosedErrors(process.stderr);
endOnClosedOutput(process.stdout, process.stderr);
const { stdin, stdout, stderr, env } = process;
process.exitCode = await runProgram(createUploadProgram({ stdin, stdout, stderr, env }), {
  parameters: process.argv.slice(2),
  stdout,
  stderr,
  env,
});
