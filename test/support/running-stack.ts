import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BusEvent } from 'cloud-assembly-emulator';
import {
  type Assembly,
  type Clock,
  createClock,
  createDisposalStack,
  type DisposalStack,
  type Emulator,
  type EmulatorOptions,
  type LogLine,
  readAssembly,
  startEmulator,
  takePorts,
} from 'cloud-assembly-emulator';
import { outputNames } from '../../contract/internal/stack-outputs.ts';
import { synthesize } from '../../tools/local/start/synthesize.ts';
import type { Deployment } from '../../tools/operator/deployment/deployment.ts';

/**
 * The stack in an emulator of this process. A test can replace its policies and restart its functions while
 * it runs, which takes milliseconds instead of the seconds of a separate run.
 */
export interface RunningStack extends Emulator {
  readonly deployment: Deployment;
  readonly stateDirectory: string;
  /** Log of the AWS endpoints, including denied calls. */
  readonly awsLog: readonly LogLine[];
  /** Sent events of uploads. */
  readonly sentEvents: readonly BusEvent[];
}

/** Delays between deliveries of an event after its function failed. */
const eventBackoff = { firstMilliseconds: 5, maxMilliseconds: 20 };

/** Faults of AWS from the start, and other options of the emulator. */
export interface RunningStackOptions
  extends Pick<
    EmulatorOptions,
    'clock' | 'eventChaos' | 'ignoresIfNoneMatch' | 'onAlarm' | 'onCall' | 'throttled'
  > {
  /** Settings of the stack, in addition to its base URL. */
  readonly context?: Readonly<Record<string, string>>;
  /** Changes the template before the start, as a neighbouring stack would add to it. */
  readonly changeTemplate?: (template: Assembly['template']) => Assembly['template'];
}

/**
 * Returns a change of the template that limits each of these routes, without another synthesis.
 *
 * @param limit requests per second, and in a burst
 */
export function withRateLimit(limit: number, ...routes: readonly string[]) {
  const settings = { ThrottlingRateLimit: limit, ThrottlingBurstLimit: limit };
  return (template: Assembly['template']): Assembly['template'] =>
    JSON.parse(JSON.stringify(template), (key, value) => (routes.includes(key) ? settings : value));
}

/** Synthesizes and starts the stack, and creates its first signing key. */
export async function startRunningStack(options: RunningStackOptions = {}): Promise<RunningStack> {
  const disposals = createDisposalStack();
  try {
    return await start(options, disposals);
  } catch (error) {
    await disposals.disposeAsync();
    throw error;
  }
}

async function start(
  { context: settings, ...options }: RunningStackOptions,
  disposals: DisposalStack,
): Promise<RunningStack> {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'file-sync-stack-'));
  disposals.defer(() => rm(stateDirectory, { recursive: true, force: true }));
  const ports = await takePorts({ api: 0, aws: 0 });
  disposals.defer(ports.close);
  const outputDirectory = join(stateDirectory, 'cdk.out');
  const context = { ...settings, baseUrl: ports.gateway.baseUrl };
  await synthesize({ outputDirectory, context, signal: new AbortController().signal });
  const awsLog: LogLine[] = [];
  const sentEvents: BusEvent[] = [];
  const { changeTemplate = (template) => template, clock = createClock(), ...emulated } = options;
  const assembly = readAssembly(outputDirectory);
  const template = changeTemplate(assembly.template);
  const emulator = await startEmulator(
    { ...assembly, template },
    {
      ports,
      stateDirectory,
      onAwsLog: (line) => awsLog.push(line),
      throttled: false,
      eventBackoff,
      onEvent: async ({ event }) => void sentEvents.push(event),
      ...emulated,
      clock,
    },
  );
  disposals.defer(emulator.close);
  return {
    ...emulator,
    runSchedules: (at) => asOf(at, clock, () => emulator.runSchedules(at)),
    deployment: deploymentOf(emulator, clock.now),
    stateDirectory,
    awsLog,
    sentEvents,
    close: disposals.disposeAsync,
  };
}

/** Sets the clock to a time during a call, and back afterwards. */
async function asOf(at: Date, { now, advance }: Clock, run: () => Promise<void>): Promise<void> {
  const ahead = at.getTime() - now();
  advance(ahead);
  await run().finally(() => advance(-ahead));
}

function deploymentOf(
  { outputs, stack, awsEndpoint, operatorCredentials }: Emulator,
  now: () => number,
): Deployment {
  const values = Object.fromEntries(outputNames.map((name) => [name, outputs[name] ?? '']));
  return {
    stackName: stack.stackName,
    outputs: values as Deployment['outputs'],
    awsConfig: { region: stack.region, endpoint: awsEndpoint, credentials: operatorCredentials },
    isLocal: true,
    now,
  };
}
