import type { Deployment } from '../operator/deployment/deployment.ts';
import type { Output } from './output.ts';
import type { Terminal } from './question.ts';

/** Options for serving the console from a terminal. */
export interface ConsoleRequest {
  readonly deployment: Deployment;
  /** Name of the deployment, for people. */
  readonly name: string;
  /** Port number. Undefined: the default port, or any free port if it is taken. 0: any free port. */
  readonly port: number | undefined;
  /** True if the console rejects every change. */
  readonly readOnly: boolean;
  readonly stdin: Terminal['stdin'];
  readonly output: Output;
  /** Resolves when the console is asked to end. */
  readonly ended: Promise<unknown>;
}
