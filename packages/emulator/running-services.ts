import type { Credentials } from './authentication/credentials.ts';
import { cloudWatch } from './cloudwatch/service.ts';
import type { ServiceMetrics } from './cloudwatch/service-metrics.ts';
import type { AwsServer } from './endpoint/aws-server.ts';
import { dispatch } from './endpoint/dispatch.ts';
import { createFaultFinder, type FindFault } from './endpoint/faults.ts';
import { events } from './events/service.ts';
import type { InvokeFunction } from './lambda/invoke.ts';
import { lambda } from './lambda/service.ts';
import type { Functions } from './lambda/settings.ts';
import type { RunningService, Use } from './registry/aws-service.ts';
import { createRetention } from './registry/retention.ts';
import { createUse } from './registry/use.ts';
import { checkDeployment, checkPolicies, type ServiceSettings, services } from './services.ts';
import { withTimeout } from './shared/concurrency.ts';
import { type DisposalStack, disposeOnFailure } from './shared/disposal.ts';

export interface ServicesOptions extends Omit<ServiceSettings, 'disposals' | 'rejectsDeadLetters'> {
  /** Server that already listens: functions receive its address before it serves. */
  readonly server: AwsServer;
  /** Control file for tests that injects faults into the calls of functions: see endpoint/faults.ts. */
  readonly faultsFile?: string | undefined;
}

/** The running services of AWS. All endpoints share one port. */
export interface RunningServices {
  /** For `AWS_ENDPOINT_URL`. */
  readonly endpoint: string;
  /**
   * Credentials of a role session, as functions use them. A role of another account needs a session policy.
   */
  readonly credentialsForRole: (roleArn: string, sessionName: string, sessionPolicy?: string) => Credentials;
  /** Credentials of the operator, who has the permissions of an account administrator. */
  readonly operatorCredentials: Credentials;
  readonly invoke: InvokeFunction;
  readonly metrics: ServiceMetrics;
  /**
   * Ends the idle execution environments of these functions, by default of all functions. New environments
   * start with empty caches.
   */
  readonly endIdleEnvironments: Functions['endIdleEnvironments'];
  /** Starts deliveries, schedules, rotations, alarms and removals. Call this when functions can run. */
  readonly startBackgroundWork: () => void;
  /**
   * Removes expired objects by the lifecycle rules of their bucket, and expired items by their time to live,
   * as of a time.
   */
  readonly applyRetention: (now: Date) => Promise<void>;
  /** Runs the template's scheduled rules, as of a time. Resolves when their functions have ended. */
  readonly runSchedules: (now: Date) => Promise<void>;
  /** Evaluates the alarms of the template as of a time. */
  readonly evaluateAlarms: (now: Date) => Promise<void>;
  /** Resolves when each event was delivered to its targets or abandoned. */
  readonly eventsSettled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Maximum milliseconds that {@link RunningServices.close} waits for functions that are processing events. */
const maxEndMilliseconds = 5_000;

/**
 * Starts the services, with the state of an earlier start if there is one.
 *
 * @throws {Error} naming the resource, for anything in the template that the emulator does not support
 */
export async function startServices(options: ServicesOptions): Promise<RunningServices> {
  checkPolicies(options.resources, options.stack);
  checkDeployment(options.resources, options.authorize, options.stack);
  return disposeOnFailure((disposals) => start(options, disposals));
}

async function start(options: ServicesOptions, disposals: DisposalStack): Promise<RunningServices> {
  const { server, credentials, now, log } = options;
  const findFault = createFaultFinder(options.faultsFile);
  const context = { ...options, disposals, rejectsDeadLetters: () => rejectsDeadLetters(findFault) };
  const use = createUse<ServiceSettings>(context);
  const running = await startAll(use);
  const endpoints = running.flatMap(({ endpoint = [] }) => endpoint);
  server.serve({ handle: (request) => dispatch(request, { ...context, endpoints, findFault }), now, log });
  disposals.defer(server.close);
  const retention = createRetention(running, context);
  disposals.defer(async () => {
    await retention.stop();
    // Functions that are processing events still need the endpoint.
    await withTimeout(maxEndMilliseconds, Promise.all(running.map(({ stop }) => stop?.())));
  });
  const { bus, runSchedules } = await use(events);
  const { invoke, endIdleEnvironments } = await use(lambda);
  const { metrics, evaluate } = await use(cloudWatch);
  return {
    endpoint: server.endpoint,
    credentialsForRole: (roleArn, sessionName, sessionPolicy) =>
      credentials.issue({ kind: 'session', roleArn, sessionName, sessionPolicy }),
    operatorCredentials: credentials.operator,
    invoke,
    endIdleEnvironments,
    metrics,
    startBackgroundWork: () => {
      for (const { begin } of running) {
        begin?.();
      }
      retention.start();
    },
    applyRetention: retention.apply,
    runSchedules,
    evaluateAlarms: (time) => evaluate(time.getTime()),
    eventsSettled: bus.settled,
    close: disposals.disposeAsync,
  };
}

/** Starts the services one after another. */
async function startAll(use: Use<ServiceSettings>): Promise<readonly RunningService[]> {
  const running: RunningService[] = [];
  for (const { start } of services) {
    if (start !== undefined) {
      running.push(await use({ start }));
    }
  }
  return running;
}

async function rejectsDeadLetters(findFault: FindFault): Promise<boolean> {
  const fault = await findFault('sqs', async () => ({ operation: 'SendMessage' }));
  return fault !== undefined && fault !== 'slow';
}
