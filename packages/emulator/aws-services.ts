import { join } from 'node:path';
import type { CredentialIssuer, Credentials } from './authentication/credentials.ts';
import { countCalls, type OnCall } from './calls.ts';
import { createCloudFormation } from './cloudformation/service.ts';
import type { CloudWatch } from './cloudwatch/open-cloudwatch.ts';
import { createServiceMetrics } from './cloudwatch/service-metrics.ts';
import { checkDeployment } from './deployment-checks.ts';
import { delayReads } from './dynamodb/delayed-reads.ts';
import { createTableProtection } from './dynamodb/deletion-protection.ts';
import { openTableEngine, type TableEngine } from './dynamodb/engine.ts';
import { createDynamoDb } from './dynamodb/service.ts';
import { createTables } from './dynamodb/tables.ts';
import type { AwsServer } from './endpoint/aws-server.ts';
import { dispatch } from './endpoint/dispatch.ts';
import { createFaultFinder } from './endpoint/faults.ts';
import { createEventBus, type EventBackoff, type EventChaos } from './events/bus.ts';
import { createKeepDeadLetter } from './events/dead-letters.ts';
import { createObjectEvents } from './events/object-created.ts';
import { openOutbox, type SentEvent } from './events/outbox.ts';
import { eventBusType } from './events/resource-types.ts';
import { createSchedules } from './events/schedules.ts';
import { createEvents } from './events/service.ts';
import { collectTargets } from './events/targets.ts';
import type { Authorize } from './iam/authorize.ts';
import type { InvokeFunction } from './lambda/invoke.ts';
import { createLambda } from './lambda/service.ts';
import { createLogs } from './logs/service.ts';
import { checkPolicies } from './policies.ts';
import { createRetention } from './retention.ts';
import { createS3, openBuckets } from './s3/service.ts';
import { collectSecretKeys } from './secrets-manager/access.ts';
import { createRotation } from './secrets-manager/rotation.ts';
import { createSecretsManager } from './secrets-manager/service.ts';
import { openSecretStore } from './secrets-manager/store.ts';
import { type Closers, createClosers } from './shared/closers.ts';
import { waitAtMost } from './shared/concurrency.ts';
import { type DiskTrouble, untoldDiskTrouble } from './shared/disk-trouble.ts';
import type { StackIdentity } from './shared/names.ts';
import { ofType, type Resource } from './shared/resource-type.ts';
import { openQueues } from './sqs/queues.ts';
import { createSqs } from './sqs/service.ts';
import { createSts } from './sts/service.ts';

export interface AwsServicesOptions extends WatchOptions {
  /** Has its port already: functions are told its address before it serves. */
  readonly server: AwsServer;
  /** Folder for everything that must survive a restart, `kill -9` included. */
  readonly stateDirectory: string;
  /** Folder of the files that functions write. */
  readonly logDirectory: string;
  readonly stack: StackIdentity;
  /** Every resource of the template, resolved. */
  readonly resources: readonly Resource[];
  readonly credentials: CredentialIssuer;
  readonly authorize: Authorize;
  readonly invoke: InvokeFunction;
  /** Whoever gives it closes it. */
  readonly cloudWatch: CloudWatch;
  readonly now: () => Date;
  /** Takes one structured line: a denied call, a failed delivery. Never a secret. */
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  /** Hears of writes that fail on a full disk. */
  readonly disk?: DiskTrouble;
  /** Control file that disturbs the calls of functions, for tests: see endpoint/faults.ts. */
  readonly faultsFile?: string | undefined;
}

/** How tests and tools watch and disturb the services. */
export interface WatchOptions {
  /** Disturbs event deliveries. */
  readonly eventChaos?: EventChaos | undefined;
  /** Waits before an event is given to a failing function again. */
  readonly eventBackoff?: EventBackoff | undefined;
  /**
   * Hears of each event that PutEvents takes, before the call is answered. If it fails, the call fails, so that whoever
   * sent the event sends it again.
   */
  readonly onEvent?: ((sent: SentEvent) => Promise<void>) | undefined;
  /** Hears of each call of AWS, for tests that count what is paid for. */
  readonly onCall?: OnCall | undefined;
  /**
   * A read of DynamoDB that does not ask for consistency answers what was there before the last write of each item. Indexes
   * are always read so. The emulator forgets it when it ends: after a restart, reads answer what is stored.
   */
  readonly eventuallyConsistent?: boolean | undefined;
  /** S3 takes `If-None-Match` as a header only. A presigned URL that should work once then works again. */
  readonly ignoresIfNoneMatch?: boolean | undefined;
}

/** The AWS endpoints of the emulator, all on one port. */
export interface AwsServices {
  /** For `AWS_ENDPOINT_URL`. */
  readonly endpoint: string;
  /** Credentials of a session of a role, as each function has. */
  readonly credentialsForRole: (roleArn: string, sessionName: string) => Credentials;
  /** Credentials of the operator, who may do what the administrator of an account may. */
  readonly operatorCredentials: Credentials;
  /** Starts event deliveries, schedules and lifecycle rules. Call it when functions can run. */
  readonly startBackgroundWork: () => void;
  /** Removes what is over as of a time: by lifecycle rules of buckets and times to live of items. */
  readonly applyRetention: (now: Date) => Promise<void>;
  /** Runs the rules of the template that have a schedule, as of a time. Resolves when their functions have ended. */
  readonly runSchedules: (now: Date) => Promise<void>;
  /** Evaluates the alarms of the template as of a time. */
  readonly evaluateAlarms: (now: Date) => Promise<void>;
  /** Resolves when every event was taken by its function, or given up. */
  readonly eventsSettled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Waits before retries of a function that failed on an event. AWS waits minutes; a developer would not. */
const defaultBackoff: EventBackoff = { firstMilliseconds: 500, longestMilliseconds: 30_000 };

/** How long {@link AwsServices.close} waits for functions that are running on events. */
const endMilliseconds = 5_000;

/**
 * Starts the AWS endpoints, on the state of an earlier start if there is one.
 *
 * @throws {Error} naming the resource, for anything in the template that the emulator cannot do
 */
export async function startAwsServices(options: AwsServicesOptions): Promise<AwsServices> {
  const { server, stack, resources, credentials, authorize } = options;
  checkPolicies(resources, stack);
  checkDeployment(resources, authorize, stack);
  const closers = createClosers();
  try {
    const engine = await openTables(options, closers);
    const { startBackgroundWork, bus, schedules, retention, stop } = await serve(engine, options);
    closers.add(server.close);
    closers.add(stop);
    return {
      endpoint: server.endpoint,
      credentialsForRole: (roleArn, sessionName) =>
        credentials.issue({ kind: 'session', roleArn, sessionName }),
      operatorCredentials: credentials.operator,
      startBackgroundWork,
      applyRetention: retention.apply,
      runSchedules: schedules.run,
      evaluateAlarms: (now) => options.cloudWatch.evaluate(now.getTime()),
      eventsSettled: bus.settled,
      close: closers.closeAll,
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function openTables(options: AwsServicesOptions, closers: Closers): Promise<TableEngine> {
  const { stateDirectory, stack, resources } = options;
  const open = async (path?: string) => {
    const engine = await openTableEngine(path, stack.region, stack.accountId);
    closers.add(engine.close);
    return engine;
  };
  const engine = await open(join(stateDirectory, 'dynamodb'));
  await createTables(engine, resources);
  return options.eventuallyConsistent ? delayReads(engine, await open(), resources) : engine;
}

async function serve(engine: TableEngine, options: AwsServicesOptions) {
  const { server, stateDirectory, stack, resources, credentials, authorize, cloudWatch, invoke, now, log } =
    options;
  const disk = options.disk ?? untoldDiskTrouble;
  const queues = await openQueues(join(stateDirectory, 'sqs'), resources, now);
  const outbox = await openOutbox(stateDirectory);
  const metrics = createServiceMetrics(cloudWatch.record, () => now().getTime());
  cloudWatch.sample(() => metrics.queues(queues));
  const findFault = createFaultFinder(options.faultsFile);
  const isRefused = async () => {
    const fault = await findFault('sqs', async () => ({ operation: 'SendMessage', table: undefined }));
    return fault !== undefined && fault !== 'slow';
  };
  const bus = createEventBus({
    targets: collectTargets(resources),
    outbox,
    keepDeadLetter: createKeepDeadLetter({ queues, authorize, isRefused }),
    queues,
    invoke,
    authorize,
    stack,
    chaos: options.eventChaos,
    now,
    random: Math.random,
    backoff: options.eventBackoff ?? defaultBackoff,
    metrics,
    log,
    disk,
  });
  const store = await openSecretStore(join(stateDirectory, 'secrets'), resources, stack, now);
  const keys = collectSecretKeys(resources);
  const rotation = createRotation({ store, resources, keys, authorize, stack, invoke, now, log });
  const buckets = await openBuckets(join(stateDirectory, 's3'), resources, now);
  const listenerFor = createObjectEvents(resources, outbox, bus, stack);
  const authentication = { credentials, region: stack.region, now };
  const onCall = options.onCall ?? (() => undefined);
  const services = {
    json: {
      dynamodb: createDynamoDb(engine, createTableProtection(engine, resources), authorize, stack, onCall),
      secretsmanager: countCalls(
        'secretsmanager',
        createSecretsManager({ store, rotation, keys, authorize, stack, now }),
        onCall,
      ),
      logs: createLogs({ resources, directory: options.logDirectory, authorize, stack }),
      monitoring: countCalls('monitoring', cloudWatch.service, onCall),
      sqs: countCalls('sqs', createSqs(queues, authorize, stack), onCall),
      events: countCalls(
        'events',
        createEvents({
          outbox,
          bus,
          authorize,
          stack,
          busNames: new Set(ofType(resources, eventBusType).map(({ ref }) => ref)),
          onEvent: options.onEvent ?? (async () => undefined),
          now,
        }),
        onCall,
      ),
    },
    query: {
      cloudformation: createCloudFormation({ stack, resources, authorize, now }),
      sts: countCalls('sts', createSts({ stack, credentials, authorize, now }), onCall),
    },
    lambda: createLambda({ invoke, authorize, stack }),
    s3: createS3(buckets, {
      stack,
      authentication,
      authorize,
      ignoresQueryCondition: options.ignoresIfNoneMatch ?? false,
      log,
      disk,
      listenerFor,
      onCall,
    }),
  };
  server.serve({
    handle: (request) => dispatch(request, { services, authentication, findFault, log, disk }),
    now,
    log,
  });
  const retention = createRetention({ engine, buckets, resources, now, log });
  const schedules = createSchedules(resources, bus, stack, now, join(stateDirectory, 'schedules.json'));
  const timers = createClosers();
  return {
    bus,
    schedules,
    retention,
    startBackgroundWork: () => {
      cloudWatch.start();
      bus.start();
      timers.add(retention.start());
      timers.add(schedules.start());
      void rotation.start();
    },
    stop: async () => {
      await timers.closeAll();
      // Functions that are running on events still need the endpoint.
      await waitAtMost(endMilliseconds, Promise.all([bus.stop(), rotation.stop()]));
    },
  };
}
