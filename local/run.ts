import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createAccessLogFormatter } from '../emulator/api-gateway/access-log.ts';
import { readHttpApi } from '../emulator/api-gateway/http-api.ts';
import { type GatewayServer, openGateway } from '../emulator/api-gateway/server.ts';
import { createThrottle } from '../emulator/api-gateway/throttle.ts';
import type { LocalAws } from '../emulator/aws-services.ts';
import { type Assembly, readAssembly } from '../emulator/cloudformation/assembly.ts';
import { makeCustomResources } from '../emulator/cloudformation/custom-resources.ts';
import { type LoadedTemplate, loadTemplate } from '../emulator/cloudformation/load-template.ts';
import { faultsFile } from '../emulator/endpoint/faults.ts';
import { createFunctions, type Functions } from '../emulator/lambda/functions.ts';
import type { InvokeFunction } from '../emulator/lambda/invoke.ts';
import { openLogFile } from '../emulator/logs/log-file.ts';
import { resourceTypes } from '../emulator/resource-types.ts';
import { type Closers, createClosers } from '../emulator/shared/closers.ts';
import type { StackIdentity } from '../emulator/shared/resource-type.ts';
import { startLocalAws } from '../emulator/start-aws-services.ts';
import type { LocalRunOptions } from './start/options.ts';
import { checkPort, isPortError, portProblem } from './start/ports.ts';
import { writeRunFile } from './start/run-file.ts';
import { openState, type StateDirectory } from './start/state-directory.ts';
import { synthesize } from './start/synthesize.ts';
import type { Terminal } from './start/terminal.ts';

/** A stack that serves on this machine. */
export interface LocalRun {
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
}

/**
 * Synthesizes the stack and runs the template that comes out.
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
    const baseUrl = await start(options, terminal, signal, closers);
    return { baseUrl, close: closers.closeAll };
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
): Promise<string> {
  const { state, release } = openState(options.stateDirectory, options.fresh);
  closers.add(release);
  const gateway = await takePorts(options, closers);
  const baseUrl = `http://127.0.0.1:${gateway.port}`;

  await terminal.step('Synthesizing the stack', () =>
    synthesize({ outputDirectory: state.assembly, context: { ...options.context, baseUrl }, signal }),
  );
  const assembly = readAssembly(state.assembly);
  const stack = identityOf(assembly);
  const template = loadTemplate(assembly.template, resourceTypes, stack);
  const frontDoor = readFrontDoor(template);

  const { aws, functions } = await terminal.step('Starting its resources', () =>
    startResources({ awsPort: options.awsPort, state, assembly, stack, template, terminal, closers }),
  );
  signal.throwIfAborted();
  await makeCustomResources({
    resources: template.resources,
    stack,
    invoke: functions.invoke,
    stateFile: state.customResources,
    onStart: ({ type }) => terminal.say(`Making ${type.replace('Custom::', '')}`),
  });
  // What makes custom resources has done its work for as long as this run lasts.
  await functions.endIdle();
  signal.throwIfAborted();
  aws.startBackgroundWork();
  serve(gateway, { ...frontDoor, baseUrl, state, stack, invoke: functions.invoke, closers });
  const { accessKeyId, secretAccessKey } = aws.operatorCredentials;
  const removeRunFile = writeRunFile(state.runFile, {
    pid: process.pid,
    baseUrl,
    awsEndpoint: aws.endpoint,
    region: stack.region,
    credentials: { accessKeyId, secretAccessKey },
    stackName: stack.stackName,
    outputs: template.outputs,
  });
  closers.add(removeRunFile);
  return baseUrl;
}

/** Both ports are looked at before anything that takes time. */
async function takePorts(options: LocalRunOptions, closers: Closers): Promise<GatewayServer> {
  const createRequestId = () => `${randomBytes(11).toString('base64url')}=`;
  const gateway = await openGateway(options.port, createRequestId).catch((error: unknown) => {
    throw isPortError(error) ? portProblem(options.port, '--port') : error;
  });
  closers.add(gateway.close);
  await checkPort(options.awsPort, '--aws-port');
  return gateway;
}

/** What this machine is to the template: a region and an account of its own. */
function identityOf(assembly: Assembly): StackIdentity {
  return {
    stackName: assembly.stackName,
    region: 'us-east-1',
    accountId: '000000000000',
    partition: 'aws',
    urlSuffix: 'amazonaws.com',
  };
}

interface Parts {
  readonly awsPort: number;
  readonly state: StateDirectory;
  readonly assembly: Assembly;
  readonly stack: StackIdentity;
  readonly template: LoadedTemplate;
  readonly terminal: Terminal;
  readonly closers: Closers;
}

async function startResources(parts: Parts): Promise<{ aws: LocalAws; functions: Functions }> {
  const { state, stack, template, terminal, closers } = parts;
  const { resources } = template;
  const log = openLogFile(join(state.logs, 'aws.log'));
  closers.add(log.close);
  let functions: Functions | undefined;
  // Functions end after the AWS endpoints, whose last deliveries they still handle.
  closers.add(async () => functions?.close());
  const aws = await startLocalAws({
    port: parts.awsPort,
    stateDirectory: state.aws,
    faultsFile: faultsFile(state.path),
    stack,
    resources,
    // The AWS endpoints and the functions need each other: the former start first, the latter act first.
    invoke: (name, payload) => invokeStarted(functions, name, payload),
    now: () => new Date(),
    log: (line) => {
      const text = JSON.stringify(line);
      log.write(text);
      if (/^(error|warn)/i.test(String(line.level))) terminal.warn(`aws: ${text}`);
    },
  }).catch((error: unknown) => {
    throw isPortError(error) ? portProblem(parts.awsPort, '--aws-port') : error;
  });
  closers.add(aws.close);
  functions = createFunctions({
    resources,
    stack,
    assetDirectory: parts.assembly.assetDirectory,
    awsEndpoint: aws.endpoint,
    credentialsForRole: aws.credentialsForRole,
    mayWriteLogs: aws.mayWriteLogs,
    stateDirectory: state.path,
    logDirectory: state.logs,
    onError: (functionName, line) => terminal.warn(`${functionName}: ${line}`),
    now: Date.now,
  });
  return { aws, functions };
}

function invokeStarted(functions: Functions | undefined, ...parameters: Parameters<InvokeFunction>) {
  if (!functions) throw new Error('A function was invoked before the functions were ready');
  return functions.invoke(...parameters);
}

/** The API and its access log, looked at before anything is started for them. */
function readFrontDoor(template: LoadedTemplate) {
  const api = readHttpApi(template.resources);
  const { accessLogFormat } = api;
  return {
    api,
    format: accessLogFormat === undefined ? undefined : createAccessLogFormatter(accessLogFormat),
  };
}

interface ServeParts extends Pick<Parts, 'state' | 'stack' | 'closers'>, ReturnType<typeof readFrontDoor> {
  readonly baseUrl: string;
  readonly invoke: InvokeFunction;
}

function serve(gateway: GatewayServer, parts: ServeParts): void {
  const { api, format } = parts;
  const log = openLogFile(join(parts.state.logs, 'access.log'));
  parts.closers.add(log.close);
  gateway.serve({
    api,
    invoke: parts.invoke,
    mayPass: api.throttle ? createThrottle(api.throttle, () => performance.now()) : () => true,
    now: Date.now,
    accountId: parts.stack.accountId,
    host: new URL(parts.baseUrl).host,
    logAccess: (entry) => {
      if (format) log.write(format(entry));
    },
  });
  // Requests under way end first: everything else is still there for them.
  parts.closers.add(gateway.close);
}
