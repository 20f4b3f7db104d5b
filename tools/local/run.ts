import type { AlarmChange, EventChaos } from 'cloud-assembly-emulator';
import {
  createClock,
  createDisposalStack,
  type DisposalStack,
  type PortName,
  type Ports,
  PortTaken,
  readAssembly,
  StartProblem,
  startEmulator,
  takePorts,
} from 'cloud-assembly-emulator';
import type { RunningConsole } from '../console/serve.ts';
import { describeSetBack } from '../operator/uploads/upload.ts';
import { startConsole } from './console.ts';
import { openLocalEvents } from './events/local-events.ts';
import { localDeployment } from './local-deployment.ts';
import type { LocalRunOptions } from './start/options.ts';
import { openState, writeRunFile } from './start/state-directory.ts';
import { isSynthesized, synthesize } from './start/synthesize.ts';
import type { Terminal } from './start/terminal.ts';

/** Environment variable that disturbs event deliveries: an `EventChaos` of the emulator, as JSON. */
export const eventChaosVariable = 'FILE_SYNC_LOCAL_EVENT_CHAOS';

/**
 * Environment variable that enables eventually consistent reads of DynamoDB: `true` returns data as stale as
 * AWS allows.
 */
export const eventuallyConsistentVariable = 'FILE_SYNC_LOCAL_EVENTUALLY_CONSISTENT';

/** Environment variable with the offset of the local run's clock from this machine, in hours. */
export const hoursAheadVariable = 'FILE_SYNC_LOCAL_HOURS_AHEAD';

/** A stack that runs on this machine. */
export interface LocalRun {
  readonly baseUrl: string;
  /** Console of the run. Undefined: the run is without a console. */
  readonly console: RunningConsole | undefined;
  readonly close: () => Promise<void>;
}

/**
 * Synthesizes the stack and runs it in the emulator.
 *
 * @param signal signal that cancels the start
 * @throws {StartProblem} with the cause and the next step
 */
export async function startLocalRun(
  options: LocalRunOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<LocalRun> {
  const disposals = createDisposalStack();
  try {
    const run = await start(options, terminal, signal, disposals);
    return { ...run, close: disposals.disposeAsync };
  } catch (error) {
    await disposals.disposeAsync();
    throw error;
  }
}

async function start(
  options: LocalRunOptions,
  terminal: Terminal,
  signal: AbortSignal,
  disposals: DisposalStack,
): Promise<Omit<LocalRun, 'close'>> {
  const { state, release } = openState(options.state, options.fresh);
  disposals.defer(release);
  const ports = await takeWantedPorts(options);
  disposals.defer(ports.close);
  // Like the other ports, taken before any slow step. The console is last, because it uses another port if
  // its default port is taken.
  const console = options.console ? await startConsole(options) : undefined;
  disposals.defer(async () => console?.close());
  const { baseUrl } = ports.gateway;
  const synthesis = { outputDirectory: state.assembly, context: { ...options.context, baseUrl }, signal };
  if (isSynthesized(synthesis)) {
    terminal.say('The CloudFormation template is unchanged since the last start.');
  } else {
    terminal.say('Creating the CloudFormation template ...');
    await synthesize(synthesis);
  }
  // Closed after the emulator, because its functions may still send events at the end.
  const onEvent = await openLocalEvents(state.path, options, terminal, disposals);
  const emulator = await startEmulator(readAssembly(state.assembly), {
    ports,
    stateDirectory: state.path,
    signal,
    progress: terminal.say,
    onAwsLog: (line) => {
      if (/^(error|warn)/i.test(String(line.level))) {
        terminal.warn(`aws: ${JSON.stringify(line)}`);
      }
    },
    onFullDisk: terminal.warn,
    onEvent,
    onAlarm: (change) => {
      const line = describeAlarm(change);
      if (line !== undefined) {
        terminal.warn(line);
      }
    },
    onFunctionError: (functionName, line) => terminal.warn(`${functionName}: ${line}`),
    eventChaos: readEventChaos(),
    throttled: options.throttle,
    clock: readClock(),
    eventuallyConsistent: process.env[eventuallyConsistentVariable] === 'true',
  });
  disposals.defer(emulator.close);
  const removeRunFile = writeRunFile(state.runFile, {
    awsEndpoint: emulator.awsEndpoint,
    region: emulator.stack.region,
    credentials: emulator.operatorCredentials,
    stackName: emulator.stack.stackName,
    outputs: emulator.outputs,
  });
  disposals.defer(removeRunFile);
  // A failure of this check must not stop the run.
  const setBack = await localDeployment(state.path)
    .then(describeSetBack)
    .catch(() => undefined);
  if (setBack !== undefined) {
    terminal.warn(setBack);
  }
  return { baseUrl, console };
}

function readClock() {
  const clock = createClock();
  clock.advance(Number(process.env[hoursAheadVariable] ?? 0) * 3_600_000);
  return clock;
}

function readEventChaos(): EventChaos | undefined {
  const text = process.env[eventChaosVariable];
  return text === undefined ? undefined : (JSON.parse(text) as EventChaos);
}

/**
 * Describes a change of an alarm. Returns undefined for an alarm that gets its first data, because most new
 * alarms start without data.
 */
export function describeAlarm({ alarm, from, to, reason }: AlarmChange): string | undefined {
  if (to === 'ALARM') {
    return `alarm ${alarm} is raised: ${reason}`;
  }
  return from === 'ALARM' ? `alarm ${alarm} is over: ${reason}` : undefined;
}

const portFlags: Readonly<Record<PortName, string>> = { api: '--port', aws: '--aws-port' };

/**
 * Takes the ports from the command line, before any slow step.
 *
 * @throws {StartProblem} with the unavailable port and the next step
 */
async function takeWantedPorts({ port: api, awsPort: aws, allowHost }: LocalRunOptions): Promise<Ports> {
  try {
    return await takePorts({ api, aws }, allowHost);
  } catch (error) {
    if (!(error instanceof PortTaken)) {
      throw error;
    }
    const flag = portFlags[error.portName];
    const other = error.port === 0 ? 3000 : error.port + 1;
    throw new StartProblem(
      `${error.message} Stop that program, or choose another port with ${flag}, as in: npm start -- ${flag} ${other}`,
    );
  }
}
