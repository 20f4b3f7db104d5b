import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { accessLogFile } from './api-gateway/access-log.ts';
import { prepareApi } from './api-gateway/prepare-api.ts';
import { openCredentialIssuer } from './authentication/credentials.ts';
import { type AwsServices, startAwsServices } from './aws-services.ts';
import type { Assembly } from './cloudformation/assembly.ts';
import { makeCustomResources } from './cloudformation/custom-resources.ts';
import { loadTemplate } from './cloudformation/load-template.ts';
import type { Emulator, EmulatorOptions } from './emulator.ts';
import { faultsFile } from './endpoint/faults.ts';
import type { Bundles } from './lambda/settings.ts';
import { openLogFile } from './logs/log-file.ts';
import { createAccess } from './policies.ts';
import { resourceTypes } from './resource-types.ts';
import type { AwsSettings } from './services.ts';
import { type Closers, startWith } from './shared/closers.ts';
import { createDiskTrouble } from './shared/disk-trouble.ts';
import { makeDirectory } from './shared/files.ts';
import type { Log } from './shared/log.ts';
import type { StackIdentity } from './shared/names.ts';
import type { Resource } from './shared/resource-type.ts';

/** Values of the pseudo parameters. */
const identity: Omit<StackIdentity, 'stackName'> = {
  region: 'us-east-1',
  accountId: '000000000000',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
};

/**
 * Runs the one stack of a cloud assembly: AWS endpoints for its resources, workers for its functions, its
 * custom resources, and its HTTP API.
 *
 * @throws {StartProblem} naming each unsupported resource and property
 * @throws {Error} naming a resource that AWS would not deploy
 */
export async function startEmulator(assembly: Assembly, options: EmulatorOptions): Promise<Emulator> {
  return startWith((closers) => start(assembly, options, closers));
}

async function start(assembly: Assembly, options: EmulatorOptions, closers: Closers): Promise<Emulator> {
  const { ports, stateDirectory, signal, clock, progress = () => undefined, throttled = true } = options;
  const { now = Date.now, ahead } = clock ?? {};
  closers.add(ports.close);
  const { gateway } = ports;
  const { accountId } = identity;
  const stack = { stackName: assembly.stackName, ...identity };
  const { resources, outputs } = loadTemplate(assembly.template, resourceTypes, stack);
  const serveApi = prepareApi(resources);
  const state = await openState(options, closers);
  const access = createAccess(resources, stack, state.log);
  progress('Starting the resources of the stack ...');
  const parts = { ...assembly, ...state, ...access, resources, ahead, now: () => new Date(now()) };
  const aws = await startAws(options, parts);
  closers.add(aws.close);
  const { endpoint: awsEndpoint, startBackgroundWork, metrics, ...services } = aws;
  const { invoke, cool } = services;
  const onStart = ({ type }: Resource) => progress(`Creating ${type.replace('Custom::', '')}`);
  const make = (stateFile: string) =>
    makeCustomResources({ resources, stack, invoke, stateFile: join(stateDirectory, stateFile), onStart });
  signal?.throwIfAborted();
  await make(madeFile);
  // The functions that create custom resources are not needed any more.
  await cool();
  signal?.throwIfAborted();
  startBackgroundWork();
  serveApi({ gateway, accountId, invoke, metrics, throttled, now, accessLog: state.accessLog });
  // The API closes first: open requests can still use all services.
  closers.add(gateway.close);
  return {
    ...access,
    ...services,
    baseUrl: gateway.baseUrl,
    awsEndpoint,
    resources,
    outputs,
    makeCustomResources: () => make(`custom-resources-${randomUUID()}.json`),
    close: closers.closeAll,
  };
}

/** File in the state folder that stores the created custom resources. */
const madeFile = 'custom-resources.json';

/** Creates the folders of the state, and opens the logs. */
async function openState(options: EmulatorOptions, closers: Closers) {
  const { stateDirectory, onAwsLog, onDiskTrouble = () => undefined } = options;
  const logDirectory = join(stateDirectory, 'logs');
  const awsDirectory = join(stateDirectory, 'aws');
  await makeDirectory(logDirectory);
  await makeDirectory(awsDirectory);
  const disk = createDiskTrouble(stateDirectory, onDiskTrouble);
  const openLog = (path: string) => {
    const file = openLogFile(path, disk);
    closers.add(file.close);
    return file;
  };
  const awsLog = openLog(join(logDirectory, 'aws.log'));
  const log: Log = (line) => {
    awsLog.write(JSON.stringify(line));
    onAwsLog?.(line);
  };
  return { awsDirectory, logDirectory, disk, log, accessLog: openLog(accessLogFile(logDirectory)) };
}

type StartParts = Awaited<ReturnType<typeof openState>> &
  Pick<AwsSettings, 'authorize' | 'now' | 'resources' | 'stack'> &
  Pick<Bundles, 'ahead' | 'assetDirectory'>;

async function startAws(options: EmulatorOptions, parts: StartParts): Promise<AwsServices> {
  const { ports, stateDirectory, onCall = () => undefined } = options;
  const { awsDirectory, assetDirectory, ahead } = parts;
  const { endpoint: awsEndpoint } = ports.aws;
  return startAwsServices({
    ...options,
    ...parts,
    server: ports.aws,
    stateDirectory: awsDirectory,
    credentials: await openCredentialIssuer(awsDirectory),
    functions: { assetDirectory, programDirectory: stateDirectory, awsEndpoint, ahead },
    notificationsFile: join(stateDirectory, 'notifications.jsonl'),
    faultsFile: faultsFile(stateDirectory),
    onCall,
  });
}
