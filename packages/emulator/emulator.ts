import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { accessLogFile } from './api-gateway/access-log.ts';
import { prepareApi } from './api-gateway/prepare-api.ts';
import { openCredentialIssuer } from './authentication/credentials.ts';
import type { Assembly } from './cloudformation/assembly.ts';
import { createCustomResources } from './cloudformation/custom-resources.ts';
import { loadTemplate } from './cloudformation/load-template.ts';
import { faultsFile } from './endpoint/faults.ts';
import { openLogFile } from './logs/log-file.ts';
import type { Ports } from './ports.ts';
import { type RunningServices, type ServicesOptions, startServices } from './running-services.ts';
import { createAccess, type ReplaceableAccess, resourceTypes, type ServiceSettings } from './services.ts';
import type { Clock } from './shared/clock.ts';
import { type DisposalStack, disposeOnFailure } from './shared/disposal.ts';
import { createDirectory } from './shared/files.ts';
import { createFullDiskReporter } from './shared/full-disk.ts';
import type { Log, LogLine } from './shared/log.ts';
import type { StackIdentity } from './shared/names.ts';
import type { Resource } from './shared/resource-type.ts';

/** Options of single services. The settings in the folder of a service document them. */
type ServiceOptions = Pick<
  ServiceSettings,
  | 'eventBackoff'
  | 'eventChaos'
  | 'eventuallyConsistent'
  | 'ignoresIfNoneMatch'
  | 'onAlarm'
  | 'onEvent'
  | 'onFunctionError'
>;

export interface EmulatorOptions extends ServiceOptions {
  /** Ports to serve on. The emulator closes the ports when it ends, and when it cannot start. */
  readonly ports: Ports;
  /** Folder for logs and for everything that must survive a restart, including `kill -9`. */
  readonly stateDirectory: string;
  /** Signal that aborts a start. */
  readonly signal?: AbortSignal;
  /** Called with the next step of the start. */
  readonly progress?: (line: string) => void;
  /** Called with each line of `logs/aws.log`, such as the line for a denied call. */
  readonly onAwsLog?: (line: LogLine) => void;
  /** Called for each call of AWS, for tests that count paid calls. */
  readonly onCall?: ServiceSettings['onCall'] | undefined;
  /** Called with a message for people when the disk is full. */
  readonly onFullDisk?: (line: string) => void;
  /** True (default) if the throttling settings of the template apply to the stage of the HTTP API. */
  readonly throttled?: boolean;
  /** Clock of the whole emulator, functions included. Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
}

/** A cloud assembly that runs on this machine. */
export interface Emulator
  extends ReplaceableAccess,
    Omit<RunningServices, 'endpoint' | 'metrics' | 'startBackgroundWork'> {
  /** Address of the HTTP API. */
  readonly baseUrl: string;
  /** Address of the AWS endpoints, for `AWS_ENDPOINT_URL`. */
  readonly awsEndpoint: string;
  /** Resources of the template, in its order. */
  readonly resources: readonly Resource[];
  /** Outputs of the template. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Creates the custom resources again, as the deployment of a new stack does. */
  readonly createCustomResources: () => Promise<void>;
}

/** Values of the pseudo parameters. */
const identity: Omit<StackIdentity, 'stackName'> = {
  region: 'us-east-1',
  accountId: '000000000000',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
};

/** Returns the name of a custom resource type in words: ` first signing key` for `Custom::FirstSigningKey`. */
function inWords(type: string): string {
  return type.replace('Custom::', '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** File in the state folder that stores the created custom resources. */
const customResourcesFile = 'custom-resources.json';

/**
 * Runs the one stack of a cloud assembly: AWS endpoints for its resources, workers for its functions, its
 * custom resources, and its HTTP API.
 *
 * @throws {StartProblem} naming each unsupported resource and property
 * @throws {Error} naming a resource that AWS would not deploy
 */
export async function startEmulator(assembly: Assembly, options: EmulatorOptions): Promise<Emulator> {
  return disposeOnFailure((disposals) => start(assembly, options, disposals));
}

async function start(
  { stackName, template, assetDirectory }: Assembly,
  options: EmulatorOptions,
  disposals: DisposalStack,
): Promise<Emulator> {
  const { ports, stateDirectory, signal, progress = () => undefined, throttled = true } = options;
  disposals.defer(ports.close);
  const stack = { stackName, ...identity };
  const { resources, outputs } = loadTemplate(template, resourceTypes, stack);
  const serveApi = prepareApi(resources);
  const { accessLog, ...state } = await openState(options, disposals);
  const access = createAccess(resources, stack, state.log);
  progress('Starting the resources of the template ...');
  const running = await startAws(options, assetDirectory, state, { ...access, resources });
  disposals.defer(running.close);
  const { endpoint: awsEndpoint, startBackgroundWork, metrics, ...services } = running;
  const { invoke, endIdleEnvironments } = services;
  const onStart = ({ type }: Resource) => progress(`Creating the${inWords(type)} ...`);
  const createAll = (fileName: string) =>
    createCustomResources({ resources, stack, invoke, onStart, stateFile: join(stateDirectory, fileName) });
  signal?.throwIfAborted();
  await createAll(customResourcesFile);
  // The functions that create custom resources are not needed any more.
  await endIdleEnvironments();
  signal?.throwIfAborted();
  startBackgroundWork();
  const { gateway } = ports;
  const { now = Date.now } = options.clock ?? {};
  serveApi({ gateway, accountId: stack.accountId, invoke, metrics, throttled, now, accessLog });
  // The API closes first: open requests can still use all services.
  disposals.defer(gateway.close);
  return {
    ...access,
    ...services,
    baseUrl: gateway.baseUrl,
    awsEndpoint,
    resources,
    outputs,
    createCustomResources: () => createAll(`custom-resources-${randomUUID()}.json`),
    close: disposals.disposeAsync,
  };
}

type State = Awaited<ReturnType<typeof openState>>;

/** Creates the folders of the state, and opens the logs. */
async function openState(options: EmulatorOptions, disposals: DisposalStack) {
  const { stateDirectory, onAwsLog, onFullDisk = () => undefined } = options;
  const logDirectory = join(stateDirectory, 'logs');
  const awsDirectory = join(stateDirectory, 'aws');
  await createDirectory(logDirectory);
  await createDirectory(awsDirectory);
  const disk = createFullDiskReporter(stateDirectory, onFullDisk);
  const openLog = (path: string) => {
    const file = openLogFile(path, disk);
    disposals.defer(file.close);
    return file;
  };
  const awsLog = openLog(join(logDirectory, 'aws.log'));
  const log: Log = (line) => {
    awsLog.write(JSON.stringify(line));
    onAwsLog?.(line);
  };
  return { awsDirectory, logDirectory, disk, log, accessLog: openLog(accessLogFile(logDirectory)) };
}

/** Starts the services on the AWS port, with the clock and the files of the emulator. */
async function startAws(
  options: EmulatorOptions,
  assetDirectory: Assembly['assetDirectory'],
  { awsDirectory, ...state }: Omit<State, 'accessLog'>,
  deployed: Pick<ServicesOptions, 'authorize' | 'resources' | 'stack'>,
): Promise<RunningServices> {
  const { ports, stateDirectory, onCall = () => undefined } = options;
  const { now = Date.now, ahead } = options.clock ?? {};
  const { endpoint: awsEndpoint } = ports.aws;
  return startServices({
    ...options,
    ...state,
    ...deployed,
    server: ports.aws,
    stateDirectory: awsDirectory,
    credentials: await openCredentialIssuer(awsDirectory),
    functions: { assetDirectory, programDirectory: stateDirectory, awsEndpoint, ahead },
    notificationsFile: join(stateDirectory, 'notifications.jsonl'),
    faultsFile: faultsFile(stateDirectory),
    now: () => new Date(now()),
    onCall,
  });
}
