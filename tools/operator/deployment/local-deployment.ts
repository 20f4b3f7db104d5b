import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as v from 'valibot';
import { pickOutputs, requiredOutputNames } from '../../../lib/stack-outputs.ts';
import { messageOf, OperationError, systemCode } from '../errors.ts';
import { quoted } from '../text.ts';
import type { AwsConfig, Deployment } from './deployment.ts';

/** The `run.json` that a local run keeps in its state folder while it runs. */
const runSchema = v.object({
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  awsEndpoint: v.pipe(v.string(), v.url()),
  region: v.string(),
  stackName: v.string(),
  credentials: v.object({ accessKeyId: v.string(), secretAccessKey: v.string() }),
  outputs: v.pipe(
    v.record(v.string(), v.string()),
    v.check((outputs) => requiredOutputNames.every((name) => outputs[name] !== undefined)),
    v.transform((outputs) => pickOutputs((name) => outputs[name])),
  ),
});

type Run = v.InferOutput<typeof runSchema>;

/**
 * The SDK rejects a custom endpoint together with FIPS or dual-stack endpoints. The environment or the configuration
 * file may turn those on, so they are turned off here.
 */
interface LocalAwsConfig extends AwsConfig {
  readonly useFipsEndpoint: false;
  readonly useDualstackEndpoint: false;
}

/**
 * Finds the local run that uses a state folder.
 *
 * @throws {OperationError} when no local run uses it
 */
export async function localDeployment(stateDirectory: string): Promise<Deployment> {
  const run = parseRun(await readRun(stateDirectory), stateDirectory);
  // The file stays behind after a kill -9, and its process id may belong to another process by now.
  if (!isAlive(run.pid) || !(await accepts(new URL(run.awsEndpoint)))) {
    throw notRunning(stateDirectory);
  }
  return { stackName: run.stackName, outputs: run.outputs, awsConfig: awsConfigOf(run) };
}

function awsConfigOf({ region, awsEndpoint, credentials }: Run): LocalAwsConfig {
  return { region, endpoint: awsEndpoint, credentials, useFipsEndpoint: false, useDualstackEndpoint: false };
}

async function readRun(stateDirectory: string): Promise<string> {
  try {
    return await readFile(join(stateDirectory, 'run.json'), 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') {
      throw notRunning(stateDirectory);
    }
    throw new OperationError('failed', `Cannot read the state of the local run: ${messageOf(error)}.`);
  }
}

function parseRun(text: string, stateDirectory: string): Run {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), runSchema), text);
  if (parsed.success) {
    return parsed.output;
  }
  throw new OperationError(
    'failed',
    `${join(stateDirectory, 'run.json')} was written by another version of the local run. Stop that run and start it again.`,
    { do: 'start local run', stateDirectory },
  );
}

function notRunning(stateDirectory: string): OperationError {
  return new OperationError(
    'failed',
    `No local run uses the state folder ${quoted(stateDirectory)}. Start one, or give the state folder of a running one.`,
    { do: 'start local run', stateDirectory },
  );
}

const connectMilliseconds = 2000;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

/** Whether something listens at the endpoint. */
function accepts(endpoint: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: endpoint.hostname, port: Number(endpoint.port) });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(connectMilliseconds, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
