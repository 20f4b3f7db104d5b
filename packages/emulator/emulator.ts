import type { AwsServices } from './aws-services.ts';
import type { ReplaceableAccess } from './policies.ts';
import type { Ports } from './ports.ts';
import type { AwsSettings } from './services.ts';
import type { Clock } from './shared/clock.ts';
import type { LogLine } from './shared/log.ts';
import type { Resource } from './shared/resource-type.ts';

/** Options of single services. The settings in the folder of a service document them. */
type ServiceOptions = Pick<
  AwsSettings,
  | 'eventBackoff'
  | 'eventChaos'
  | 'eventuallyConsistent'
  | 'ignoresIfNoneMatch'
  | 'onAlarm'
  | 'onEvent'
  | 'onFunctionError'
>;

export interface EmulatorOptions extends ServiceOptions {
  /** Ports to serve on. The emulator closes the ports when it ends, and when it cannot start. */
  readonly ports: Ports;
  /** Folder for logs and for everything that must survive a restart, including `kill -9`. */
  readonly stateDirectory: string;
  /** Signal that aborts a start. */
  readonly signal?: AbortSignal;
  /** Called with the next step of the start. */
  readonly progress?: (line: string) => void;
  /** Called with each line of `logs/aws.log`, such as the line for a denied call. */
  readonly onAwsLog?: (line: LogLine) => void;
  /** Called for each call of AWS, for tests that count paid calls. */
  readonly onCall?: AwsSettings['onCall'] | undefined;
  /** Called with a message for people when the disk is full. */
  readonly onDiskTrouble?: (line: string) => void;
  /** True (default) if the throttling settings of the template apply to the stage of the HTTP API. */
  readonly throttled?: boolean;
  /** Clock of the whole emulator, functions included. Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
}

/** A cloud assembly that runs on this machine. */
export interface Emulator
  extends ReplaceableAccess,
    Omit<AwsServices, 'endpoint' | 'metrics' | 'startBackgroundWork'> {
  /** Address of the HTTP API. */
  readonly baseUrl: string;
  /** Address of the AWS endpoints, for `AWS_ENDPOINT_URL`. */
  readonly awsEndpoint: string;
  /** Resources of the template, in the order of their creation. */
  readonly resources: readonly Resource[];
  /** Outputs of the template. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Creates the custom resources again, as the deployment of a new stack does. */
  readonly makeCustomResources: () => Promise<void>;
}
