import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as v from 'valibot';
import { CommandError, messageOf, systemCode } from '../errors.ts';
import { quoted } from '../text.ts';
import type { AwsConfig, Deployment } from './deployment.ts';
import { outputNames } from './stack-outputs.ts';

/** What the local run says of itself while it runs, in `run.json` of its state folder. */
const runSchema = v.object({
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  awsEndpoint: v.pipe(v.string(), v.url()),
  region: v.string(),
  credentials: v.object({ accessKeyId: v.string(), secretAccessKey: v.string() }),
  outputs: v.object(v.entriesFromList(outputNames, v.string())),
});

type Run = v.InferOutput<typeof runSchema>;

/**
 * What a person's environment or configuration file says of AWS's endpoints is not about this one: the SDK refuses an
 * endpoint of one's own together with FIPS or dual-stack endpoints.
 */
interface LocalAwsConfig extends AwsConfig {
  readonly useFipsEndpoint: false;
  readonly useDualstackEndpoint: false;
}

/**
 * The local run whose state folder this is.
 *
 * @throws {CommandError} when it does not run
 */
export async function localDeployment(stateDirectory: string): Promise<Deployment> {
  const run = parseRun(await readRun(stateDirectory), stateDirectory);
  // After a kill -9 the file is still there. A process id may have been given to another process since then.
  if (!isAlive(run.pid) || !(await accepts(new URL(run.awsEndpoint)))) throw notRunning(stateDirectory);
  return { outputs: run.outputs, awsConfig: awsConfigOf(run) };
}

function awsConfigOf({ region, awsEndpoint, credentials }: Run): LocalAwsConfig {
  return { region, endpoint: awsEndpoint, credentials, useFipsEndpoint: false, useDualstackEndpoint: false };
}

async function readRun(stateDirectory: string): Promise<string> {
  try {
    return await readFile(join(stateDirectory, 'run.json'), 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') throw notRunning(stateDirectory);
    throw new CommandError(`Cannot read the state of the local run: ${messageOf(error)}`);
  }
}

function parseRun(text: string, stateDirectory: string): Run {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), runSchema), text);
  if (parsed.success) return parsed.output;
  throw new CommandError(
    `${join(stateDirectory, 'run.json')} is not from this version of the local run. Stop it and run npm start again.`,
  );
}

function notRunning(stateDirectory: string): CommandError {
  return new CommandError(
    `No local run uses the state folder ${quoted(stateDirectory)}. Start one with npm start` +
      (stateDirectory === '.local' ? '' : ` -- --state ${stateDirectory}`) +
      ', or say with --state where the running one keeps its state.',
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

/** Whether something listens there. */
function accepts(endpoint: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: endpoint.hostname, port: Number(endpoint.port) });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(2000, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
