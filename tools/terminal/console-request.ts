import type { Deployment } from '../operator/deployment/deployment.ts';
import type { Output } from './output.ts';
import type { Terminal } from './question.ts';

/** How the console is to be served. */
export interface ConsoleRequest {
  readonly deployment: Deployment;
  readonly kind: 'local' | 'stack';
  /** The name of the deployment, for people. */
  readonly name: string;
  /** Undefined: the usual port, or any free port if that is taken. 0: any free port. */
  readonly port: number | undefined;
  readonly readOnly: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Terminal['stdin'];
  readonly output: Output;
  /** Resolves when the console is to end. */
  readonly ended: Promise<unknown>;
}
