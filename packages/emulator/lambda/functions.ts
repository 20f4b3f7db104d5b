import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Credentials } from '../authentication/credentials.ts';
import type { RecordMetric } from '../cloudwatch/metric-store.ts';
import type { ServiceMetrics } from '../cloudwatch/service-metrics.ts';
import { type LogWriter, logFileOf, logGroupOf, logLines, recordLogMetrics } from '../logs/function-log.ts';
import { type LogFile, openLogFile } from '../logs/log-file.ts';
import { readMetricFilters } from '../logs/metric-filters.ts';
import type { Clock } from '../shared/clock.ts';
import type { DiskTrouble } from '../shared/disk-trouble.ts';
import { StartProblem } from '../shared/errors.ts';
import type { StackIdentity } from '../shared/names.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { type ExecutionEnvironment, startExecutionEnvironment } from './execution-environment.ts';
import { createFunctionPool, type FunctionPool } from './function-pool.ts';
import { type InvokeFunction, largestInvocationBytes, tooLargePayload } from './invoke.ts';
import { functionType } from './resource-types.ts';
import { functionVariables, type LambdaFunction } from './variables.ts';
import { writeWorkerProgram } from './worker-program.ts';

export interface FunctionsOptions {
  readonly resources: readonly Resource[];
  readonly stack: StackIdentity;
  readonly assetDirectory: (objectKey: string) => string;
  readonly awsEndpoint: string;
  readonly credentialsForRole: (roleArn: string, sessionName: string) => Credentials;
  /** Whether the lines of a function get to its log. Lambda writes them with the permissions of the function's role. */
  readonly mayWriteLogs: (writer: LogWriter) => boolean;
  /** Folder for the program that workers run. */
  readonly stateDirectory: string;
  readonly logDirectory: string;
  readonly disk: DiskTrouble;
  /** Takes the name of a function and a line of level ERROR that it wrote. */
  readonly onError: (functionName: string, line: string) => void;
  /** Takes the metrics in the lines of functions. */
  readonly recordMetric: RecordMetric;
  readonly metrics: Pick<ServiceMetrics, 'invoked'>;
  /** Takes a structured line, such as one about metrics in a wrong format. */
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  /** The time of the functions and of their metrics. Without it, that of the machine. */
  readonly clock?: Clock | undefined;
}

/** Every function of the template, ready to be invoked. */
export interface Functions {
  readonly invoke: InvokeFunction;
  /** Ends the idle workers of these functions, or of all: the next invocation starts with empty caches. */
  readonly endIdle: (functionNames?: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Most workers of one function. More than there are cores help only while a function waits for others. */
const maximumEnvironments = 10;

/** Short, since each worker takes about 15 MB. Loading a bundle again takes a tenth of a second. */
const idleMilliseconds = 30_000;

/**
 * Prepares a pool for each AWS::Lambda::Function. Workers start with the first invocation.
 *
 * @throws {StartProblem} when the module of a handler is not in its bundle
 */
export function createFunctions(options: FunctionsOptions): Functions {
  const workerProgram = writeWorkerProgram(options.stateDirectory);
  const { now = Date.now } = options.clock ?? {};
  const filtersOf = readMetricFilters(options.resources);
  const functions = ofType(options.resources, functionType).map((lambda): DeployedFunction => {
    const log = openLogFile(logFileOf(lambda, options.logDirectory), options.disk);
    const onLine = logLines({
      file: log,
      onError: (line) => options.onError(lambda.ref, line),
      onEntry: recordLogMetrics({
        functionName: lambda.ref,
        filters: filtersOf(logGroupOf(lambda)),
        record: options.recordMetric,
        log: options.log,
        now,
      }),
    });
    return { name: lambda.ref, log, pool: createPool(lambda, workerProgram, onLine, options) };
  });
  const byName = new Map(functions.map((deployed) => [deployed.name, deployed]));
  return {
    invoke: async (functionName, payload) => {
      const pool = byName.get(functionName)?.pool;
      if (pool === undefined) {
        throw new Error(`Function not found: ${functionName}`);
      }
      if (Buffer.byteLength(JSON.stringify(payload) ?? '') > largestInvocationBytes) {
        return tooLargePayload;
      }
      return pool.invoke(payload);
    },
    endIdle: async (names = [...byName.keys()]) => {
      await Promise.all(names.map((name) => byName.get(name)?.pool.endIdle()));
    },
    close: async () => {
      await Promise.all(functions.map(({ pool }) => pool.close()));
      for (const { log } of functions) {
        log.close();
      }
    },
  };
}

interface DeployedFunction {
  readonly name: string;
  readonly pool: FunctionPool;
  readonly log: LogFile;
}

function createPool(
  lambda: LambdaFunction,
  workerProgram: string,
  onLine: (line: string) => void,
  options: FunctionsOptions,
): FunctionPool {
  const { ref: functionName, properties } = lambda;
  const { MemorySize: memoryMegabytes, Role: roleArn } = properties;
  const functionArn = lambda.attributes.Arn ?? functionName;
  const { now = Date.now, ahead } = options.clock ?? {};
  const settings = { ...findHandler(lambda, options), functionName, functionArn, memoryMegabytes };
  const logGroupName = logGroupOf(lambda);
  const start = (): ExecutionEnvironment => {
    return startExecutionEnvironment({
      workerProgram,
      settings,
      ahead,
      variables: functionVariables(lambda, {
        region: options.stack.region,
        awsEndpoint: options.awsEndpoint,
        credentials: options.credentialsForRole(roleArn, functionName),
      }),
      timeoutMilliseconds: properties.Timeout * 1000,
      onLine: options.mayWriteLogs({ roleArn, functionName, logGroupName }) ? onLine : () => undefined,
      now,
    });
  };
  return createFunctionPool({
    start,
    maximumEnvironments,
    idleMilliseconds,
    onInvoked: (ok) => options.metrics.invoked(functionName, ok),
  });
}

function findHandler({ logicalId, type, properties }: LambdaFunction, options: FunctionsOptions) {
  const [moduleName = '', exportName = ''] = properties.Handler.split('.');
  const directory = options.assetDirectory(properties.Code.S3Key);
  const path = ['.mjs', '.js'].map((ending) => join(directory, moduleName + ending)).find(existsSync);
  if (!path) {
    throw new StartProblem(
      `Resource ${logicalId} (${type}): its bundle ${directory} has no ${moduleName}.mjs ` +
        `for the handler ${properties.Handler}. Check how the app bundles it.`,
    );
  }
  return { moduleUrl: pathToFileURL(path).href, exportName };
}
