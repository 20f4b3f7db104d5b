import type { Deployment } from '../operator/deployment/deployment.ts';
import type { TextStream } from './output.ts';
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
  /** Whether the first line is a JSON object. */
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Terminal['stdin'];
  readonly stdout: TextStream;
  /** Writes a note to stderr. */
  readonly say: (sentence: string) => void;
  /** Resolves when the console is to end. */
  readonly ended: Promise<void>;
}
