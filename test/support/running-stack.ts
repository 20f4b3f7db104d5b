import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from '../../cli/admin/deployment.ts';
import { readHttpApi } from '../../emulator/api-gateway/http-api.ts';
import { openGateway } from '../../emulator/api-gateway/server.ts';
import type { LocalAws } from '../../emulator/aws-services.ts';
import { type Assembly, readAssembly } from '../../emulator/cloudformation/assembly.ts';
import { makeCustomResources } from '../../emulator/cloudformation/custom-resources.ts';
import { type LoadedTemplate, loadTemplate } from '../../emulator/cloudformation/load-template.ts';
import { faultsFile } from '../../emulator/endpoint/faults.ts';
import { type Authorize, createAuthorize } from '../../emulator/iam/authorize.ts';
import { createFunctions, type Functions } from '../../emulator/lambda/functions.ts';
import type { InvokeFunction } from '../../emulator/lambda/invoke.ts';
import { resourceTypes } from '../../emulator/resource-types.ts';
import { createClosers } from '../../emulator/shared/closers.ts';
import type { Resource, StackIdentity } from '../../emulator/shared/resource-type.ts';
import { startLocalAws } from '../../emulator/start-aws-services.ts';
import { outputNames } from '../../lib/outputs.ts';
import { synthesize } from '../../local/start/synthesize.ts';

export type LogLine = Readonly<Record<string, unknown>>;

/**
 * The parts of a local run, in this process: a test can give it other policies and cold functions while it serves,
 * which takes milliseconds where a run of its own takes seconds.
 */
export interface RunningStack {
  readonly baseUrl: string;
  readonly stack: StackIdentity;
  /** As synthesized. */
  readonly resources: readonly Resource[];
  readonly deployment: Deployment;
  readonly stateDirectory: string;
  /** What the AWS endpoints logged, denied calls included. */
  readonly awsLog: readonly LogLine[];
  readonly invoke: InvokeFunction;
  /** Decides access from now on by the policies of these resources. */
  readonly usePolicies: (resources: readonly Resource[]) => void;
  readonly authorize: Authorize;
  /** Ends what runs these functions, so that they start anew with empty caches; all of them without names. */
  readonly cool: (functionNames?: readonly string[]) => Promise<void>;
  /** Makes the custom resources as a deployment of a new stack does. */
  readonly makeCustomResources: () => Promise<void>;
  /** Resolves when every event was taken by its function, or given up. */
  readonly eventsSettled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const identity = {
  region: 'us-east-1',
  accountId: '000000000000',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
} as const;

/** Waits between deliveries of an event that a function failed on, in milliseconds. */
const eventBackoff = { first: 5, longest: 20 };

const settlePollMilliseconds = 5;

/** Synthesizes the stack and serves it, with its first signing key made. */
export async function startRunningStack(): Promise<RunningStack> {
  const closers = createClosers();
  const stateDirectory = await mkdtemp(join(tmpdir(), 'file-sync-stack-'));
  closers.add(() => rm(stateDirectory, { recursive: true, force: true }));
  try {
    return await start(stateDirectory, closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function start(
  stateDirectory: string,
  closers: ReturnType<typeof createClosers>,
): Promise<RunningStack> {
  const gateway = await openGateway(0, randomUUID);
  closers.add(gateway.close);
  const baseUrl = `http://127.0.0.1:${gateway.port}`;
  const assembly = await assemble(join(stateDirectory, 'cdk.out'), baseUrl);
  const stack = { stackName: assembly.stackName, ...identity };
  const template = loadTemplate(assembly.template, resourceTypes, stack);
  const { resources } = template;

  const awsLog: LogLine[] = [];
  const log = (line: LogLine) => void awsLog.push(line);
  let judge = createAuthorize(resources, stack, log);
  const authorize: Authorize = (call) => judge(call);
  const functions = new Map<string, Functions>();
  const invoke: InvokeFunction = (name, payload) => {
    const one = functions.get(name);
    if (one === undefined) throw new Error(`No function ${name}`);
    return one.invoke(name, payload);
  };

  closers.add(() => Promise.all([...functions.values()].map((one) => one.close())).then(() => undefined));
  const aws = await startLocalAws({
    port: 0,
    stateDirectory: join(stateDirectory, 'aws'),
    faultsFile: faultsFile(stateDirectory),
    stack,
    resources,
    invoke,
    authorize,
    eventBackoff,
    now: () => new Date(),
    log,
  });
  closers.add(aws.close);
  makeFunctions(functions, { assembly, stack, resources, aws, stateDirectory });

  const makeAll = () =>
    makeCustomResources({
      resources,
      stack,
      invoke,
      stateFile: join(stateDirectory, `${randomUUID()}.json`),
      onStart: () => undefined,
    });
  await makeAll();
  aws.startBackgroundWork();
  gateway.serve({
    api: readHttpApi(resources),
    invoke,
    mayPass: () => true,
    now: Date.now,
    accountId: stack.accountId,
    host: new URL(baseUrl).host,
    logAccess: () => undefined,
  });
  closers.add(gateway.close);
  return {
    baseUrl,
    stack,
    resources,
    deployment: deploymentOf(template, aws, stack),
    stateDirectory,
    awsLog,
    invoke,
    authorize,
    usePolicies: (given) => {
      judge = createAuthorize(given, stack, log);
    },
    cool: async (names = [...functions.keys()]) => {
      await Promise.all(names.map((name) => functions.get(name)?.endIdle()));
    },
    makeCustomResources: makeAll,
    eventsSettled: async () => {
      const waiting = join(stateDirectory, 'aws', 'events');
      while ((await readdir(waiting)).length > 0) await delay(settlePollMilliseconds);
    },
    close: closers.closeAll,
  };
}

async function assemble(outputDirectory: string, baseUrl: string): Promise<Assembly> {
  await synthesize({ outputDirectory, context: { baseUrl }, signal: new AbortController().signal });
  return readAssembly(outputDirectory);
}

interface FunctionParts {
  readonly assembly: Assembly;
  readonly stack: StackIdentity;
  readonly resources: readonly Resource[];
  readonly aws: LocalAws;
  readonly stateDirectory: string;
}

/** Each by itself, so that each can be cooled by itself. */
function makeFunctions(functions: Map<string, Functions>, parts: FunctionParts): void {
  const { assembly, stack, resources, aws, stateDirectory } = parts;
  const logDirectory = join(stateDirectory, 'logs');
  mkdirSync(logDirectory);
  for (const resource of resources.filter(({ type }) => type === 'AWS::Lambda::Function')) {
    const one = createFunctions({
      resources: [resource],
      stack,
      assetDirectory: assembly.assetDirectory,
      awsEndpoint: aws.endpoint,
      credentialsForRole: aws.credentialsForRole,
      mayWriteLogs: aws.mayWriteLogs,
      stateDirectory,
      logDirectory,
      onError: () => undefined,
      now: Date.now,
    });
    functions.set(resource.ref, one);
  }
}

function deploymentOf({ outputs }: LoadedTemplate, aws: LocalAws, { region }: StackIdentity): Deployment {
  const values = Object.fromEntries(outputNames.map((name) => [name, outputs[name] ?? '']));
  return {
    outputs: values as Deployment['outputs'],
    awsConfig: { region, endpoint: aws.endpoint, credentials: aws.operatorCredentials },
  };
}
