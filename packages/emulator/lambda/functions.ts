import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceMetrics } from '../cloudwatch/service-metrics.ts';
import { StartProblem } from '../shared/errors.ts';
import { ofType } from '../shared/resource-type.ts';
import { startExecutionEnvironment } from './execution-environment.ts';
import { mayWriteLogs, openFunctionLog } from './function-log.ts';
import { createFunctionPool } from './function-pool.ts';
import { maxInvocationBytes, tooLargePayload } from './invoke.ts';
import { functionType } from './resource-types.ts';
import type { Bundles, Functions, LambdaSettings } from './settings.ts';
import { functionVariables, type LambdaFunction } from './variables.ts';
import { writeWorkerProgram } from './worker-program.ts';

/**
 * Maximum workers of one function. More workers than cores help only while the function waits for a service.
 */
const maxEnvironments = 10;

/** Short, because each worker uses about 15 MB. Loading a bundle again takes a tenth of a second. */
const idleMilliseconds = 30_000;

/**
 * Prepares a pool for each AWS::Lambda::Function. Workers start with the first invocation.
 *
 * @throws {StartProblem} when the module of a handler is not in its bundle
 */
export function createFunctions(
  emulator: LambdaSettings,
  bundles: Bundles,
  metrics: ServiceMetrics,
): Functions {
  const workerProgram = writeWorkerProgram(bundles.programDirectory);
  const functions = new Map(
    ofType(emulator.resources, functionType).map((lambda) => {
      const log = openFunctionLog(lambda, emulator, metrics.record);
      const start = prepareStart(lambda, { ...bundles, workerProgram }, emulator, log.write);
      const onInvoked = (ok: boolean) => metrics.invoked(lambda.ref, ok);
      const pool = createFunctionPool({ start, maxEnvironments, idleMilliseconds, onInvoked });
      return [lambda.ref, { log, pool }] as const;
    }),
  );
  return {
    invoke: async (functionName, payload) => {
      const deployed = functions.get(functionName);
      if (deployed === undefined) {
        throw new Error(`Function not found: ${functionName}`);
      }
      if (Buffer.byteLength(JSON.stringify(payload) ?? '') > maxInvocationBytes) {
        return tooLargePayload;
      }
      return deployed.pool.invoke(payload);
    },
    endIdleEnvironments: async (names = [...functions.keys()]) => {
      await Promise.all(names.map((name) => functions.get(name)?.pool.endIdleEnvironments()));
    },
    close: async () => {
      await Promise.all([...functions.values()].map(({ pool }) => pool.close()));
      for (const { log } of functions.values()) {
        log.close();
      }
    },
  };
}

/** @returns a function that starts an execution environment */
function prepareStart(
  lambda: LambdaFunction,
  bundles: Bundles & { readonly workerProgram: string },
  emulator: LambdaSettings,
  onLine: (line: string) => void,
) {
  const { ref: functionName, attributes, properties } = lambda;
  const { credentials, stack, now } = emulator;
  const session = { kind: 'session', roleArn: properties.Role, sessionName: functionName } as const;
  const { workerProgram, ahead, awsEndpoint } = bundles;
  const settings = {
    ...findHandler(lambda, bundles),
    functionName,
    functionArn: attributes.Arn ?? functionName,
    memoryMegabytes: properties.MemorySize,
  };
  return () =>
    startExecutionEnvironment({
      workerProgram,
      settings,
      ahead,
      variables: functionVariables(lambda, stack.region, awsEndpoint, credentials.issue(session)),
      timeoutMilliseconds: properties.Timeout * 1000,
      onLine: mayWriteLogs(lambda, emulator) ? onLine : () => undefined,
      now: () => now().getTime(),
    });
}

function findHandler({ logicalId, type, properties }: LambdaFunction, { assetDirectory }: Bundles) {
  const [moduleName = '', exportName = ''] = properties.Handler.split('.');
  const directory = assetDirectory(properties.Code.S3Key);
  const path = ['.mjs', '.js'].map((ending) => join(directory, moduleName + ending)).find(existsSync);
  if (!path) {
    throw new StartProblem(
      `Resource ${logicalId} (${type}): its bundle ${directory} has no ${moduleName}.mjs ` +
        `for the handler ${properties.Handler}. Check how the app bundles it.`,
    );
  }
  return { moduleUrl: pathToFileURL(path).href, exportName };
}
