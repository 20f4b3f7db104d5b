import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createAccessLogFormatter } from './api-gateway/access-log.ts';
import { createThrottles } from './api-gateway/handle-request.ts';
import { readHttpApi } from './api-gateway/http-api.ts';
import { openCredentialIssuer } from './authentication/credentials.ts';
import { type AwsServices, startAwsServices, type WatchOptions } from './aws-services.ts';
import type { Assembly } from './cloudformation/assembly.ts';
import { makeCustomResources } from './cloudformation/custom-resources.ts';
import { type LoadedTemplate, loadTemplate } from './cloudformation/load-template.ts';
import type { AlarmChange } from './cloudwatch/alarms.ts';
import { type CloudWatch, openCloudWatch } from './cloudwatch/open-cloudwatch.ts';
import { createServiceMetrics } from './cloudwatch/service-metrics.ts';
import { faultsFile } from './endpoint/faults.ts';
import type { Authorize } from './iam/authorize.ts';
import { createFunctions, type Functions } from './lambda/functions.ts';
import type { InvokeFunction } from './lambda/invoke.ts';
import { mayWriteLogs, recordAccessMetrics } from './logs/function-log.ts';
import { openLogFile } from './logs/log-file.ts';
import { readMetricFilters } from './logs/metric-filters.ts';
import { createAuthorize } from './policies.ts';
import type { Ports } from './ports.ts';
import { resourceTypes } from './resource-types.ts';
import type { Clock } from './shared/clock.ts';
import { type Closers, createClosers } from './shared/closers.ts';
import { createDiskTrouble, type DiskTrouble } from './shared/disk-trouble.ts';
import { makeDirectory } from './shared/files.ts';
import type { StackIdentity } from './shared/names.ts';
import type { Resource } from './shared/resource-type.ts';

export interface EmulatorOptions extends WatchOptions {
  /** The ports to serve on. The emulator closes them when it ends, and when it cannot start. */
  readonly ports: Ports;
  /** Folder for everything that must survive a restart, `kill -9` included, and for logs. */
  readonly stateDirectory: string;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
  /** Hears what the start does next. */
  readonly progress?: (line: string) => void;
  /** Takes each line of the log of the AWS endpoints, denied calls included. They are also in `logs/aws.log`. */
  readonly onAwsLog?: (line: LogLine) => void;
  /** Takes a line of level ERROR that a function wrote. All its lines are in `logs/`. */
  readonly onFunctionError?: (functionName: string, line: string) => void;
  /** Hears when an alarm of the template changes its state. `logs/aws.log` has it too. */
  readonly onAlarm?: (change: AlarmChange) => void;
  /** Takes a line for a person when the disk becomes full. */
  readonly onDiskTrouble?: (line: string) => void;
  /** Default true: the stage of the HTTP API is throttled as the template says. */
  readonly throttled?: boolean;
  /** The time of everything in the emulator, functions included. By default that of the machine. */
  readonly clock?: Clock | undefined;
}

export type LogLine = Readonly<Record<string, unknown>>;

/** A cloud assembly that runs on this machine. */
export interface Emulator
  extends Pick<
    AwsServices,
    'applyRetention' | 'evaluateAlarms' | 'eventsSettled' | 'operatorCredentials' | 'runSchedules'
  > {
  /** Address of the HTTP API. */
  readonly baseUrl: string;
  /** Address of the AWS endpoints, for `AWS_ENDPOINT_URL`. */
  readonly awsEndpoint: string;
  readonly stack: StackIdentity;
  /** The resources of the template, in the order of their creation. */
  readonly resources: readonly Resource[];
  /** The outputs of the template. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly invoke: InvokeFunction;
  /** Decides access as the services do. */
  readonly authorize: Authorize;
  /** From now on, decides access by the policies of these resources. */
  readonly usePolicies: (resources: readonly Resource[]) => void;
  /** Ends the idle workers of these functions, or of all, so that they start again with empty caches. */
  readonly cool: (functionNames?: readonly string[]) => Promise<void>;
  /** Makes the custom resources again, as the deployment of a new stack does. */
  readonly makeCustomResources: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Values of the pseudo parameters. */
const identity: Omit<StackIdentity, 'stackName'> = {
  region: 'us-east-1',
  accountId: '000000000000',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
};

/**
 * Runs the one stack of a cloud assembly: AWS endpoints for its resources, workers for its functions, its custom
 * resources, and its HTTP API.
 *
 * @throws {StartProblem} naming each resource, and the property, that the emulator does not understand
 * @throws {Error} naming a resource that AWS would not deploy
 */
export async function startEmulator(assembly: Assembly, options: EmulatorOptions): Promise<Emulator> {
  const closers = createClosers();
  closers.add(options.ports.close);
  try {
    return await start(assembly, options, closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function start(assembly: Assembly, options: EmulatorOptions, closers: Closers): Promise<Emulator> {
  const { ports, stateDirectory, signal, progress = () => undefined } = options;
  const stack = { stackName: assembly.stackName, ...identity };
  const template = loadTemplate(assembly.template, resourceTypes, stack);
  const { resources, outputs } = template;
  const frontDoor = readFrontDoor(template);
  await makeDirectory(join(stateDirectory, 'logs'));
  await makeDirectory(join(stateDirectory, 'aws'));

  const disk = createDiskTrouble(stateDirectory, options.onDiskTrouble ?? (() => undefined));
  progress('Starting its resources ...');
  const { aws, functions, access, cloudWatch } = await startResources({
    assembly,
    stack,
    resources,
    options,
    disk,
    closers,
  });
  const { invoke } = functions;
  const make = (stateFile: string) =>
    makeCustomResources({
      resources,
      stack,
      invoke,
      stateFile: join(stateDirectory, stateFile),
      onStart: ({ type }) => progress(`Making ${type.replace('Custom::', '')}`),
    });
  signal?.throwIfAborted();
  await make(madeFile);
  // The functions that make custom resources have nothing more to do.
  await functions.endIdle();
  signal?.throwIfAborted();
  aws.startBackgroundWork();
  serve(frontDoor, { stack, invoke, cloudWatch, options, disk, closers });
  return {
    baseUrl: ports.gateway.baseUrl,
    awsEndpoint: aws.endpoint,
    stack,
    resources,
    outputs,
    operatorCredentials: aws.operatorCredentials,
    invoke,
    ...access,
    cool: functions.endIdle,
    makeCustomResources: () => make(`custom-resources-${randomUUID()}.json`),
    applyRetention: aws.applyRetention,
    runSchedules: aws.runSchedules,
    evaluateAlarms: aws.evaluateAlarms,
    eventsSettled: aws.eventsSettled,
    close: closers.closeAll,
  };
}

/** File in the state folder that names the custom resources of the stack. */
const madeFile = 'custom-resources.json';

/** Access decided by policies that can be replaced while the emulator serves. */
function createAccess(resources: readonly Resource[], stack: StackIdentity, log: (line: LogLine) => void) {
  let current = createAuthorize(resources, stack, log);
  return {
    authorize: ((call) => current(call)) satisfies Authorize,
    usePolicies: (others: readonly Resource[]) => {
      current = createAuthorize(others, stack, log);
    },
  };
}

interface StartParts {
  readonly assembly: Assembly;
  readonly stack: StackIdentity;
  readonly resources: readonly Resource[];
  readonly options: EmulatorOptions;
  readonly disk: DiskTrouble;
  readonly closers: Closers;
}

/**
 * The functions come first: they are told the address of the AWS endpoints, whose port is taken already. The endpoints
 * come second: they invoke the functions.
 */
async function startResources(parts: StartParts): Promise<{
  aws: AwsServices;
  functions: Functions;
  access: ReturnType<typeof createAccess>;
  cloudWatch: CloudWatch;
}> {
  const { assembly, stack, resources, options, disk, closers } = parts;
  const { ports, stateDirectory, onFunctionError = () => undefined, clock } = options;
  const { now = Date.now } = clock ?? {};
  const awsDirectory = join(stateDirectory, 'aws');
  const logDirectory = join(stateDirectory, 'logs');
  const log = openAwsLog(options, disk, closers);
  const access = createAccess(resources, stack, log);
  const { authorize } = access;
  const credentials = await openCredentialIssuer(awsDirectory);
  const cloudWatch = await openCloudWatch({
    directory: join(awsDirectory, 'cloudwatch'),
    resources,
    stack,
    now,
    disk,
    log,
    authorize,
    notificationsFile: join(stateDirectory, 'notifications.jsonl'),
    onAlarm: (change) => {
      log({ level: 'info', message: 'alarm changed its state', ...change });
      options.onAlarm?.(change);
    },
  });
  // It is closed after the functions, whose last lines may hold metrics.
  closers.add(cloudWatch.close);
  const functions = createFunctions({
    resources,
    stack,
    assetDirectory: assembly.assetDirectory,
    awsEndpoint: ports.aws.endpoint,
    credentialsForRole: (roleArn, sessionName) =>
      credentials.issue({ kind: 'session', roleArn, sessionName }),
    mayWriteLogs: (writer) => mayWriteLogs(writer, authorize, stack),
    stateDirectory,
    logDirectory,
    disk,
    onError: onFunctionError,
    recordMetric: cloudWatch.record,
    metrics: createServiceMetrics(cloudWatch.record, now),
    log,
    clock,
  });
  // The functions end after the AWS endpoints: they still handle the last deliveries.
  closers.add(functions.close);
  const aws = await startAwsServices({
    ...options,
    server: ports.aws,
    stateDirectory: awsDirectory,
    logDirectory,
    stack,
    resources,
    credentials,
    authorize,
    invoke: functions.invoke,
    cloudWatch,
    now: () => new Date(now()),
    log,
    disk,
    faultsFile: faultsFile(stateDirectory),
  });
  closers.add(aws.close);
  return { aws, functions, access, cloudWatch };
}

function openAwsLog(
  { stateDirectory, onAwsLog }: EmulatorOptions,
  disk: DiskTrouble,
  closers: Closers,
): (line: LogLine) => void {
  const file = openLogFile(join(stateDirectory, 'logs', 'aws.log'), disk);
  closers.add(file.close);
  return (line) => {
    file.write(JSON.stringify(line));
    onAwsLog?.(line);
  };
}

/** Reads the API and the format of its access log, before anything is started for them. */
function readFrontDoor({ resources }: LoadedTemplate) {
  const api = readHttpApi(resources);
  const { accessLogFormat, accessLogGroup = '' } = api;
  return {
    api,
    formatEntry: accessLogFormat === undefined ? undefined : createAccessLogFormatter(accessLogFormat),
    accessLogFilters: readMetricFilters(resources)(accessLogGroup),
  };
}

function serve(
  { api, formatEntry, accessLogFilters }: ReturnType<typeof readFrontDoor>,
  {
    stack,
    invoke,
    cloudWatch,
    options,
    disk,
    closers,
  }: Omit<StartParts, 'assembly' | 'resources'> &
    Pick<Emulator, 'invoke'> & { readonly cloudWatch: CloudWatch },
): void {
  const { ports, stateDirectory, throttled = true } = options;
  const now = options.clock?.now ?? Date.now;
  const metrics = createServiceMetrics(cloudWatch.record, now);
  const log = openLogFile(join(stateDirectory, 'logs', 'access.log'), disk);
  closers.add(log.close);
  const recordLine = recordAccessMetrics(accessLogFilters, cloudWatch.record);
  ports.gateway.serve({
    api,
    invoke,
    mayPass: throttled ? createThrottles(api, () => performance.now()) : () => true,
    now,
    accountId: stack.accountId,
    logAccess: (entry) => {
      metrics.request(entry);
      if (formatEntry) {
        const line = formatEntry(entry);
        log.write(line);
        recordLine(line, entry.time.getTime());
      }
    },
  });
  // Requests under way end first: everything else is still there for them.
  closers.add(ports.gateway.close);
}
