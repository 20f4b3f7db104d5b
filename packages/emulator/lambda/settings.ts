import type { CloudWatchSettings } from '../cloudwatch/open-cloudwatch.ts';
import type { InvokeFunction } from './invoke.ts';

export interface LambdaSettings extends CloudWatchSettings {
  /** Folder of the logs of functions. */
  readonly logDirectory: string;
  /** Takes a line of level ERROR that a function wrote. `logDirectory` has all lines. */
  readonly onFunctionError?: ((functionName: string, line: string) => void) | undefined;
  /** The bundles of the functions, or what a test has in place of the functions. */
  readonly functions: Bundles | Functions;
}

/** The functions of the template, ready to be invoked. */
export interface Functions {
  readonly invoke: InvokeFunction;
  /** Ends the idle workers of these functions, by default of all functions. New workers have empty caches. */
  readonly endIdle: (functionNames?: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The bundles of the functions, and what their workers are started with. */
export interface Bundles {
  readonly assetDirectory: (objectKey: string) => string;
  /** Folder for the program that workers run. */
  readonly programDirectory: string;
  readonly awsEndpoint: string;
  /** How many milliseconds the time of the functions is ahead, if that can change. See shared/clock.ts. */
  readonly ahead: Float64Array | undefined;
}
