import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type EnvironmentOptions,
  type ExecutionEnvironment,
  startExecutionEnvironment,
} from '../../lambda/execution-environment.ts';
import { writeWorkerProgram } from '../../lambda/worker-program.ts';
import { atEnd } from './at-end.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Bundles of the test, each in its own file, and the program that runs them. */
export interface Bundles {
  /** Starts an environment for the source of a module that exports `handler`. */
  readonly start: (source: string, options?: Partial<EnvironmentOptions>) => ExecutionEnvironment;
}

export async function createBundles(): Promise<Bundles> {
  const directory = await temporaryFolder();
  const workerProgram = writeWorkerProgram(directory);
  let count = 0;
  return {
    start: (source, options = {}) => {
      count += 1;
      const path = join(directory, `bundle-${count}.mjs`);
      writeFileSync(path, source);
      const environment = startExecutionEnvironment({
        workerProgram,
        settings: {
          moduleUrl: pathToFileURL(path).href,
          exportName: 'handler',
          functionName: 'tested',
          functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:tested',
          memoryMegabytes: 128,
        },
        variables: { OWN: 'value' },
        timeoutMilliseconds: 5000,
        onLine: () => undefined,
        now: Date.now,
        ...options,
      });
      atEnd(environment.close);
      return environment;
    },
  };
}
