import { readFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { outputNames, pickOutputs } from '../../contract/internal/stack-outputs.ts';
import { awsClock } from '../operator/deployment/aws-clock.ts';
import type { Deployment } from '../operator/deployment/deployment.ts';
import { OperationError } from '../operator/errors.ts';
import { quoted } from '../operator/text.ts';

const text = v.string();

/** Schema of `run.json`, which a local run keeps in its state folder while it runs. */
const runSchema = v.object({
  awsEndpoint: v.pipe(text, v.url()),
  region: text,
  stackName: text,
  credentials: v.object({ accessKeyId: text, secretAccessKey: text }),
  outputs: v.pipe(
    v.record(text, text),
    v.check((outputs) => outputNames.every((name) => outputs[name] !== undefined)),
    v.transform((outputs) => pickOutputs((name) => outputs[name])),
  ),
});

/** Content of `run.json`. */
export type RunFile = v.InferInput<typeof runSchema>;

/** A response from this machine takes milliseconds. */
const timeoutMilliseconds = 10_000;

/**
 * Finds the local run of a state folder.
 *
 * @throws {OperationError} when no local run uses the folder
 */
export async function localDeployment(stateDirectory: string): Promise<Deployment> {
  const path = join(stateDirectory, 'run.json');
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) {
    throw notRunning(stateDirectory);
  }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), runSchema), text);
  if (!parsed.success) {
    throw new OperationError(
      `${path} is broken, or was written by another version of the local run. Stop that run and start it again: each start writes this file.`,
      { do: 'start local run', stateDirectory },
    );
  }
  const { stackName, outputs, region, awsEndpoint: endpoint, credentials } = parsed.output;
  // The SDK rejects a custom endpoint in combination with FIPS or dual-stack endpoints. The environment or
  // the configuration file may enable them, so they are disabled here.
  const awsConfig = { region, endpoint, credentials, useFipsEndpoint: false, useDualstackEndpoint: false };
  // The file remains after kill -9. Any response contains the time of the local run, whatever its status.
  const { date = '' } = await headersOf(endpoint).catch(() => {
    throw notRunning(stateDirectory);
  });
  const clock = awsClock({ systemClockOffset: Date.parse(date) - Date.now() });
  return { stackName, outputs, awsConfig, isLocal: true, ...clock };
}

/** Requests only the headers. The first `fetch` of a process takes 0.1 s of CPU. */
function headersOf(url: string): Promise<IncomingHttpHeaders> {
  const options = { method: 'HEAD', signal: AbortSignal.timeout(timeoutMilliseconds) };
  return new Promise((resolve, reject) => {
    request(url, options, (response) => resolve(response.resume().headers))
      .on('error', reject)
      .end();
  });
}

function notRunning(stateDirectory: string): OperationError {
  return new OperationError(
    `No local run uses the state folder ${quoted(stateDirectory)}. Start one in the repository, or choose the state folder of a running local run.`,
    { do: 'start local run', stateDirectory },
  );
}
