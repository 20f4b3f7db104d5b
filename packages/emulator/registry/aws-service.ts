import type { CredentialIssuer } from '../authentication/credentials.ts';
import type { Access } from '../iam/authorize.ts';
import type { PolicyCollector } from '../iam/policy-store.ts';
import type { OnCall } from '../protocols/calls.ts';
import type { Endpoint } from '../protocols/service.ts';
import type { DisposalStack } from '../shared/disposal.ts';
import type { FullDiskReporter } from '../shared/full-disk.ts';
import type { Log } from '../shared/log.ts';
import type { Resource, ResourceType } from '../shared/resource-type.ts';

/**
 * Dependencies of every service in an emulator. A service with more dependencies defines its own settings.
 */
export interface ServiceContext extends Access {
  /** Resources of the template, resolved. */
  readonly resources: readonly Resource[];
  readonly credentials: CredentialIssuer;
  /** Folder for everything that must survive a restart, including `kill -9`. */
  readonly stateDirectory: string;
  readonly now: () => Date;
  readonly log: Log;
  /** Receives the errors of writes to a full disk. */
  readonly disk: FullDiskReporter;
  /** Called for each call of AWS, for tests that count paid calls. */
  readonly onCall: OnCall;
  /**
   * Collects the functions that close the parts of a service. They run after the last call, in reverse order.
   */
  readonly disposals: DisposalStack;
}

/**
 * An AWS service. It is defined in `service.ts` in its folder and listed in `services.ts` in the root.
 *
 * @typeParam Settings settings of the service and of the services that it uses
 */
export interface AwsService<Settings extends ServiceContext = ServiceContext> {
  /** CloudFormation resource types of the service. */
  readonly resourceTypes: readonly ResourceType[];
  /** Policies of the service's resources. */
  readonly policies?: PolicyCollector;
  /** @throws {Error} naming a resource that AWS would not create because a permission is missing */
  readonly checkDeployment?: (resources: readonly Resource[], access: Access) => void;
  /** Opens the state of the service. Absent for a service that consists only of resources. */
  readonly start?: Start<Settings, RunningService>;
}

export type Start<Settings, Running> = (emulator: Settings, use: Use<Settings>) => Promise<Running>;

/** Returns another service of the same emulator. Starts that service unless it is already running. */
export type Use<Settings> = <Running extends RunningService>(service: {
  readonly start: Start<Settings, Running>;
}) => Promise<Running>;

/** A started service. Further members are for the services that use it. */
export interface RunningService {
  /** Endpoint for the calls of the service. */
  readonly endpoint?: Endpoint;
  /** Starts the background work of the service, such as deliveries and alarms. */
  readonly begin?: () => void;
  /** Ends the background work of the service. The endpoints still serve running functions. */
  readonly stop?: () => Promise<void>;
  /** Removes expired data as of a time, such as items. The signal ends the removal early. */
  readonly removeExpired?: (now: Date, signal?: AbortSignal) => Promise<void>;
}
