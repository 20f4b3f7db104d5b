import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import type { Credentials, LogWriter } from '../aws-services.ts';
import { type LogFile, openLogFile } from '../logs/log-file.ts';
import type { Resource, StackIdentity } from '../shared/resource-type.ts';
import { StartProblem } from '../shared/start-problem.ts';
import { type ExecutionEnvironment, startExecutionEnvironment } from './execution-environment.ts';
import { logLines } from './function-log.ts';
import { createFunctionPool, type FunctionPool } from './function-pool.ts';
import type { InvokeFunction } from './invoke.ts';
import { createQuietWatch } from './quiet.ts';
import { functionSchema } from './resource-types.ts';
import { functionVariables } from './variables.ts';
import { writeWorkerFile } from './worker-file.ts';

export interface FunctionsOptions {
  readonly resources: readonly Resource[];
  readonly stack: StackIdentity;
  readonly assetDirectory: (objectKey: string) => string;
  readonly awsEndpoint: string;
  readonly credentialsForRole: (roleArn: string, sessionName: string) => Credentials;
  /** Whether what a function writes gets to its log: Lambda writes it with the permissions of the function's role. */
  readonly mayWriteLogs: (writer: LogWriter) => boolean;
  /** Folder for what workers run. */
  readonly stateDirectory: string;
  readonly logDirectory: string;
  /** Takes the name of a function and a line of level ERROR that it wrote. */
  readonly onError: (functionName: string, line: string) => void;
  readonly now: () => number;
}

/** Every function of the template, ready to be invoked. */
export interface Functions {
  readonly invoke: InvokeFunction;
  /** Ends the workers that have nothing to do. */
  readonly endIdle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

type FunctionProperties = v.InferOutput<typeof functionSchema>;

/** What an account allows without reserved concurrency (AWS Lambda, "Lambda quotas"). */
const accountConcurrency = 1000;

/** Workers for one function: more than cores are of use only while a function waits for others. */
const maximumEnvironments = 10;

/** Short, since every worker takes some 15 MB; loading a bundle again takes a tenth of a second. */
const idleMilliseconds = 30_000;

/**
 * How long no function has had anything to do when a burst is over, in milliseconds. Of all functions together: in
 * steady load, one may wait for its turn for longer than that, and what it started is to be warm when that comes.
 */
const quietMilliseconds = 3000;

/** Workers of each function that stay when a burst is over. */
const sparedWhenQuiet = 2;

/**
 * Prepares a pool for each AWS::Lambda::Function. Workers start with the first invocation.
 *
 * @throws {StartProblem} when a bundle lacks its module
 */
export function createFunctions(options: FunctionsOptions): Functions {
  const workerFile = writeWorkerFile(options.stateDirectory);
  const logs: LogFile[] = [];
  const pools = new Map<string, FunctionPool>();
  for (const resource of options.resources) {
    if (resource.type !== 'AWS::Lambda::Function') continue;
    const properties = v.parse(functionSchema, resource.properties);
    const log = openLogFile(join(options.logDirectory, `${resource.ref}.log`));
    logs.push(log);
    const onLine = logLines(log, (line) => options.onError(resource.ref, line));
    pools.set(resource.ref, createPool(resource, properties, workerFile, onLine, options));
  }
  const endIdle = async (spared: number) => {
    await Promise.all([...pools.values()].map((pool) => pool.endIdle(spared)));
  };
  const quiet = createQuietWatch(quietMilliseconds, () => void endIdle(sparedWhenQuiet));
  return {
    invoke: async (functionName, payload) => {
      const pool = pools.get(functionName);
      if (pool) return quiet.during(() => pool.invoke(payload));
      const errorMessage = `Function not found: ${functionName}`;
      return { ok: false, error: { errorType: 'ResourceNotFoundException', errorMessage } };
    },
    endIdle: () => endIdle(0),
    close: async () => {
      quiet.close();
      await Promise.all([...pools.values()].map((pool) => pool.close()));
      await Promise.all(logs.map((log) => log.close()));
    },
  };
}

function createPool(
  resource: Resource,
  properties: FunctionProperties,
  workerFile: string,
  onLine: (line: string) => void,
  options: FunctionsOptions,
): FunctionPool {
  const maximumInvocations = properties.ReservedConcurrentExecutions ?? accountConcurrency;
  const { moduleUrl, exportName } = findHandler(resource, properties, options);
  const functionArn = resource.attributes.Arn ?? resource.ref;
  const logWriter = {
    roleArn: properties.Role,
    functionName: resource.ref,
    logGroupName: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${resource.ref}`,
  };
  const start = (): ExecutionEnvironment =>
    startExecutionEnvironment({
      workerFile,
      settings: {
        moduleUrl,
        exportName,
        functionName: resource.ref,
        functionArn,
        memoryMegabytes: properties.MemorySize,
      },
      variables: functionVariables({
        functionName: resource.ref,
        handler: properties.Handler,
        memoryMegabytes: properties.MemorySize,
        runtime: properties.Runtime,
        region: options.stack.region,
        awsEndpoint: options.awsEndpoint,
        credentials: options.credentialsForRole(properties.Role, resource.ref),
        own: properties.Environment?.Variables ?? {},
      }),
      timeoutMilliseconds: properties.Timeout * 1000,
      onLine: options.mayWriteLogs(logWriter) ? onLine : () => undefined,
      now: options.now,
    });
  return createFunctionPool({
    start,
    maximumEnvironments: Math.min(maximumEnvironments, maximumInvocations),
    maximumInvocations,
    idleMilliseconds,
  });
}

function findHandler(resource: Resource, properties: FunctionProperties, options: FunctionsOptions) {
  const [moduleName = '', exportName = ''] = properties.Handler.split('.');
  const directory = options.assetDirectory(properties.Code.S3Key);
  const path = ['.mjs', '.js'].map((ending) => join(directory, moduleName + ending)).find(existsSync);
  if (!path) {
    throw new StartProblem(
      `Resource ${resource.logicalId} (${resource.type}): its bundle ${directory} has no ${moduleName}.mjs ` +
        `for the handler ${properties.Handler}. Check how lib/ bundles it.`,
    );
  }
  return { moduleUrl: pathToFileURL(path).href, exportName };
}
