import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { localDeployment } from '../../cli/admin/deployment.ts';
import { runDemo } from './demo.ts';

// Whoever runs the demonstration did not choose the SDK: its advice on Node.js is for us.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

/** The demonstration as a process. Parameter: the state folder of the run that it is shown on. */
const [, , stateDirectory = '.local'] = process.argv;

try {
  const { baseUrl } = JSON.parse(await readFile(join(stateDirectory, 'run.json'), 'utf8')) as {
    baseUrl: string;
  };
  await runDemo({
    baseUrl,
    deployment: await localDeployment(stateDirectory),
    output: process.stdout,
    colour: process.stdout.isTTY && !process.env.NO_COLOR,
    signal: AbortSignal.timeout(120_000),
  });
} catch (error) {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  if (process.env.DEBUG && error instanceof Error) {
    process.stderr.write(`${error.stack}\n`);
  }
  process.exitCode = 1;
}
