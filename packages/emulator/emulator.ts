import type { AwsServices } from './aws-services.ts';
import type { ReplaceableAccess } from './policies.ts';
import type { Ports } from './ports.ts';
import type { AwsSettings } from './services.ts';
import type { Clock } from './shared/clock.ts';
import type { LogLine } from './shared/log.ts';
import type { Resource } from './shared/resource-type.ts';

/** The options of single services. The settings of a service, in its folder, say what its options do. */
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
  /** The ports to serve on. The emulator closes the ports when it ends, and when it cannot start. */
  readonly ports: Ports;
  /** Folder for everything that must survive a restart, `kill -9` included, and for logs. */
  readonly stateDirectory: string;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
  /** Hears what the start does next. */
  readonly progress?: (line: string) => void;
  /** Takes each line of `logs/aws.log`, such as the line for a denied call. */
  readonly onAwsLog?: (line: LogLine) => void;
  /** Hears of each call of AWS, for tests that count what is paid for. */
  readonly onCall?: AwsSettings['onCall'] | undefined;
  /** Takes a line for a person when the disk becomes full. */
  readonly onDiskTrouble?: (line: string) => void;
  /** Default true: the stage of the HTTP API is throttled as the template says. */
  readonly throttled?: boolean;
  /** The time of everything in the emulator, functions included. By default the time of the machine. */
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
  /** The resources of the template, in the order of their creation. */
  readonly resources: readonly Resource[];
  /** The outputs of the template. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Makes the custom resources again, as the deployment of a new stack does. */
  readonly makeCustomResources: () => Promise<void>;
}
