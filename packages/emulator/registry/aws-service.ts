import type { CredentialIssuer } from '../authentication/credentials.ts';
import type { Access } from '../iam/authorize.ts';
import type { PolicyDocument } from '../iam/policy-store.ts';
import type { OnCall } from '../protocols/calls.ts';
import type { Endpoint } from '../protocols/service.ts';
import type { Closers } from '../shared/closers.ts';
import type { DiskTrouble } from '../shared/disk-trouble.ts';
import type { Log } from '../shared/log.ts';
import type { StackIdentity } from '../shared/names.ts';
import type { Resource, ResourceType } from '../shared/resource-type.ts';

/** What every service of an emulator gets. A service that needs more says so in settings of its own. */
export interface Surroundings extends Access {
  /** Every resource of the template, resolved. */
  readonly resources: readonly Resource[];
  readonly credentials: CredentialIssuer;
  /** Folder for everything that must survive a restart, `kill -9` included. */
  readonly stateDirectory: string;
  readonly now: () => Date;
  readonly log: Log;
  /** Hears of writes that fail on a full disk. */
  readonly disk: DiskTrouble;
  /** Hears of each call of AWS, for tests that count what is paid for. */
  readonly onCall: OnCall;
  /** Takes the functions that close what a service opened. They run after the last call, in reverse order. */
  readonly closers: Closers;
}

/**
 * A service of AWS. `service.ts` in the folder of the service defines it, and `services.ts` in the root lists it.
 *
 * @typeParam Settings what the service needs, together with what the services need that it uses
 */
export interface AwsService<Settings extends Surroundings = Surroundings> {
  /** The resource types of CloudFormation that belong to the service. */
  readonly resourceTypes: readonly ResourceType[];
  /** The policies of the service's resources. */
  readonly policies?: (resources: readonly Resource[], stack: StackIdentity) => readonly PolicyDocument[];
  /** @throws {Error} naming a resource that AWS would not make, because a permission is missing */
  readonly checkDeployment?: (resources: readonly Resource[], access: Access) => void;
  /** Opens the state of the service. Absent for a service that has only resources. */
  readonly start?: Start<Settings, RunningService>;
}

export type Start<Settings, Running> = (emulator: Settings, use: Use<Settings>) => Promise<Running>;

/** Gives another service of the same emulator. Starts that other service, unless it runs already. */
export type Use<Settings> = <Running extends RunningService>(service: {
  readonly start: Start<Settings, Running>;
}) => Promise<Running>;

/** A service that has started. Further members are for the services that use it. */
export interface RunningService {
  /** Answers the calls of the service. */
  readonly endpoint?: Endpoint;
  /** Begins what the service does by itself, such as deliveries and alarms. */
  readonly begin?: () => void;
  /** Ends what the service does by itself. The endpoints still answer the functions that run. */
  readonly stop?: () => Promise<void>;
  /** Removes what has expired as of a time, such as items. The signal ends the removal early. */
  readonly removeExpired?: (now: Date, signal?: AbortSignal) => Promise<void>;
}
