import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { localDeployment } from '../../cli/deployment/local-deployment.ts';
import { runDemo } from './demo.ts';

// The SDK's notice about coming versions of Node.js is not for the people who run the demonstration.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

/** The demonstration as a process. Its parameter is the state folder of the run that it uses. */
const [, , stateDirectory = '.local'] = process.argv;

try {
  const { baseUrl } = JSON.parse(await readFile(join(stateDirectory, 'run.json'), 'utf8')) as {
    baseUrl: string;
  };
  await runDemo({
    baseUrl,
    deployment: await localDeployment(stateDirectory),
    stateDirectory: resolve(stateDirectory),
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
