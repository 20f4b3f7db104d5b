import type { CloudWatchSettings } from '../cloudwatch/open-cloudwatch.ts';
import type { InvokeFunction } from './invoke.ts';

export interface LambdaSettings extends CloudWatchSettings {
  /** Folder of the logs of functions. */
  readonly logDirectory: string;
  /** Called with each line of level ERROR that a function wrote. `logDirectory` contains all lines. */
  readonly onFunctionError?: ((functionName: string, line: string) => void) | undefined;
  /** Bundles of the functions, or the replacements that a test provides. */
  readonly functions: Bundles | Functions;
}

/** Functions of the template, ready to be invoked. */
export interface Functions {
  readonly invoke: InvokeFunction;
  /**
   * Ends the idle execution environments of these functions, by default of all functions. New environments
   * start with empty caches.
   */
  readonly endIdleEnvironments: (functionNames?: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Bundles of the functions, and the start options of their workers. */
export interface Bundles {
  readonly assetDirectory: (objectKey: string) => string;
  /** Folder for the program that workers run. */
  readonly programDirectory: string;
  readonly awsEndpoint: string;
  /**
   * Milliseconds by which the functions' clock is ahead; undefined if their clock cannot move. See
   * shared/clock.ts.
   */
  readonly ahead: Float64Array | undefined;
}
