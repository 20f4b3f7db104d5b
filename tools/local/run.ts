import type { AlarmChange, EventChaos } from 'cloud-assembly-emulator';
import {
  type Closers,
  createClock,
  createClosers,
  type PortName,
  type Ports,
  PortTaken,
  readAssembly,
  StartProblem,
  startEmulator,
  takePorts,
} from 'cloud-assembly-emulator';
import type { ServingConsole } from '../console/serve.ts';
import { startConsole } from './console.ts';
import { openLocalEvents } from './events/local-events.ts';
import type { LocalRunOptions } from './start/options.ts';
import { openState, writeRunFile } from './start/state-directory.ts';
import { isSynthesized, synthesize } from './start/synthesize.ts';
import type { Terminal } from './start/terminal.ts';

/** Names the environment variable that disturbs the deliveries of events: an `EventChaos` of the emulator, as JSON. */
export const eventChaosVariable = 'FILE_SYNC_LOCAL_EVENT_CHAOS';

/** Names the environment variable that, set to `true`, makes reads of DynamoDB as outdated as AWS allows. */
export const eventuallyConsistentVariable = 'FILE_SYNC_LOCAL_EVENTUALLY_CONSISTENT';

/** Names the environment variable with the hours that a local run is ahead of this machine. */
export const hoursAheadVariable = 'FILE_SYNC_LOCAL_HOURS_AHEAD';

/** A stack that serves on this machine. */
export interface LocalRun {
  readonly baseUrl: string;
  /** Undefined: the run has no console. */
  readonly console: ServingConsole | undefined;
  readonly close: () => Promise<void>;
}

/**
 * Synthesizes the stack and runs it in the emulator.
 *
 * @param signal ends a start that is under way
 * @throws {StartProblem} saying what is wrong and what to do
 */
export async function startLocalRun(
  options: LocalRunOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<LocalRun> {
  const closers = createClosers();
  try {
    const run = await start(options, terminal, signal, closers);
    return { ...run, close: closers.closeAll };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function start(
  options: LocalRunOptions,
  terminal: Terminal,
  signal: AbortSignal,
  closers: Closers,
): Promise<Omit<LocalRun, 'close'>> {
  const { state, release } = openState(options.state, options.fresh);
  closers.add(release);
  const ports = await takeWantedPorts(options);
  closers.add(ports.close);
  // Before any slow step, as the other ports. After them, because it takes another port if the usual one is taken.
  const console = options.console ? await startConsole(options) : undefined;
  closers.add(async () => console?.close());
  const { baseUrl } = ports.gateway;
  const synthesis = { outputDirectory: state.assembly, context: { ...options.context, baseUrl }, signal };
  if (isSynthesized(synthesis)) {
    terminal.say('The stack is as it was synthesized last.');
  } else {
    terminal.say('Synthesizing the stack ...');
    await synthesize(synthesis);
  }
  // It is closed after the emulator, whose functions may still send events at the end.
  const onEvent = await openLocalEvents(state.path, options, terminal, closers);
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
    onDiskTrouble: terminal.warn,
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
  closers.add(emulator.close);
  const { accessKeyId, secretAccessKey } = emulator.operatorCredentials;
  const removeRunFile = writeRunFile(state.runFile, {
    pid: process.pid,
    baseUrl,
    awsEndpoint: emulator.awsEndpoint,
    region: emulator.stack.region,
    credentials: { accessKeyId, secretAccessKey },
    stackName: emulator.stack.stackName,
    outputs: emulator.outputs,
  });
  closers.add(removeRunFile);
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

/** Undefined for an alarm that gets its first data: most new alarms have none. */
export function describeAlarm({ alarm, from, to, reason }: AlarmChange): string | undefined {
  if (to === 'ALARM') {
    return `alarm ${alarm} is raised: ${reason}`;
  }
  return from === 'ALARM' ? `alarm ${alarm} is over: ${reason}` : undefined;
}

const portFlags: Readonly<Record<PortName, string>> = { api: '--port', aws: '--aws-port' };

/**
 * Takes the ports that the command line asks for, before any slow step.
 *
 * @throws {StartProblem} saying which port is not available, and what to do
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
