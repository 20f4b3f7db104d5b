import type { EventChaos } from './events/chaos.ts';
import type { Authorize } from './iam/authorize.ts';
import type { InvokeFunction } from './lambda/invoke.ts';
import type { Resource, StackIdentity } from './shared/resource-type.ts';

/** Credentials as the SDK takes them from its environment. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface LocalAwsOptions {
  /** Port on 127.0.0.1; 0 lets the system choose. */
  readonly port: number;
  /** Folder for everything that must survive a restart, `kill -9` included. */
  readonly stateDirectory: string;
  readonly stack: StackIdentity;
  /** Every resource of the template, resolved. */
  readonly resources: readonly Resource[];
  readonly invoke: InvokeFunction;
  readonly now: () => Date;
  /** Takes one structured line: a denied call, a failed delivery. Never a secret. */
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  /** Decides access, for tests; by default the policies of the resources do. */
  readonly authorize?: Authorize;
  /** Disturbs event deliveries, for tests; by default what the environment variable in events/chaos.ts says. */
  readonly eventChaos?: EventChaos;
  /** Control file that disturbs the calls of functions, for tests: see faults.ts. */
  readonly faultsFile?: string;
  /** First and longest wait before an event is given to a failing function again, in milliseconds. */
  readonly eventBackoff?: { readonly first: number; readonly longest: number };
}

/** A function, as far as its log is concerned. */
export interface LogWriter {
  readonly roleArn: string;
  readonly functionName: string;
  readonly logGroupName: string;
}

/** The AWS endpoints of the local run, all on one port. */
export interface LocalAws {
  /** For `AWS_ENDPOINT_URL`. */
  readonly endpoint: string;
  /** Credentials of a role session for one function. */
  readonly credentialsForRole: (roleArn: string, sessionName: string) => Credentials;
  /** Whether Lambda may write what a function logs, with the permissions of the function's role. */
  readonly mayWriteLogs: (writer: LogWriter) => boolean;
  /** Credentials of the operator: may do what an account's administrator may. */
  readonly operatorCredentials: Credentials;
  /** Starts what acts by itself (event deliveries left over, rotation schedules). Call when functions can run. */
  readonly startBackgroundWork: () => void;
  readonly close: () => Promise<void>;
}
