import { join } from 'node:path';
import { openCredentialIssuer } from './authentication/credentials.ts';
import type { LocalAws, LocalAwsOptions } from './aws-services.ts';
import { checkDeployment } from './deployment-checks.ts';
import { openTableEngine } from './dynamodb/engine.ts';
import { createDynamoDb } from './dynamodb/service.ts';
import { createTables } from './dynamodb/tables.ts';
import { serve } from './endpoint/aws-server.ts';
import { dispatch, type Services } from './endpoint/dispatch.ts';
import { createMeetFault } from './endpoint/faults.ts';
import { createEventBus } from './events/bus.ts';
import { eventChaosVariable, parseEventChaos } from './events/chaos.ts';
import { createDeadLetters } from './events/dead-letters.ts';
import { createObjectEvents } from './events/object-events.ts';
import { openOutbox } from './events/outbox.ts';
import { collectTargets } from './events/targets.ts';
import { createAuthorize } from './iam/authorize.ts';
import { checkPolicies } from './iam/policy-store.ts';
import { invokePatiently } from './lambda/invoke-patiently.ts';
import { createLambda } from './lambda/service.ts';
import { createMayWriteLogs } from './logs/may-write-logs.ts';
import { startLifecycle } from './s3/lifecycle.ts';
import { createS3, openBuckets } from './s3/service.ts';
import { collectSecretKeys } from './secrets-manager/access.ts';
import { createRotation } from './secrets-manager/rotation.ts';
import { createSecretsManager } from './secrets-manager/service.ts';
import { openSecretStore } from './secrets-manager/store.ts';
import { makeDirectory } from './shared/files.ts';
import { openQueues } from './sqs/queues.ts';
import { createSqs } from './sqs/service.ts';
import { createSts } from './sts/service.ts';

/** Waits before retries of a function that failed on an event, in milliseconds. */
const backoff = { first: 500, longest: 30_000 };

/** How long the end waits for functions that are running on events, in milliseconds. */
const patience = 5_000;

/**
 * Starts the AWS endpoints of the local run, on the state of an earlier run if there is one.
 *
 * @throws {Error} naming the resource, for anything in the template that would not be carried out; with code
 * EADDRINUSE when the port is taken
 */
export async function startLocalAws(options: LocalAwsOptions): Promise<LocalAws> {
  const { stateDirectory, stack, resources, invoke, now, log } = options;
  await makeDirectory(stateDirectory);
  const credentials = await openCredentialIssuer(stateDirectory);
  const authorize = options.authorize ?? createAuthorize(resources, stack, log);
  checkPolicies(resources, stack);
  checkDeployment(resources, authorize, stack);
  const authentication = { credentials, region: stack.region, now };
  const meetFault = createMeetFault(options.faultsFile);

  const queues = await openQueues(join(stateDirectory, 'sqs'), resources, now);
  const outbox = await openOutbox(stateDirectory);
  const bus = createEventBus({
    targets: collectTargets(resources),
    outbox,
    deadLetters: createDeadLetters(queues, authorize),
    invoke,
    authorize,
    stack,
    chaos: options.eventChaos ?? parseEventChaos(process.env[eventChaosVariable]),
    now,
    random: Math.random,
    backoff: options.eventBackoff ?? backoff,
    log,
  });
  const secrets = await openSecretStore(join(stateDirectory, 'secrets'), resources, stack, now);
  const rotation = createRotation({
    store: secrets,
    resources,
    invoke: invokePatiently(invoke),
    now,
    log,
  });
  const keys = collectSecretKeys(resources);
  const buckets = await openBuckets(join(stateDirectory, 's3'), resources, now);
  const listenerFor = createObjectEvents(resources, outbox, bus, stack);
  const engine = await openTableEngine(join(stateDirectory, 'dynamodb'), stack.region, stack.accountId);

  const services: Services = {
    json: {
      dynamodb: createDynamoDb(engine, authorize, stack),
      secretsmanager: createSecretsManager({ store: secrets, rotation, keys, authorize, stack, now }),
      sqs: createSqs(queues, authorize, stack),
    },
    sts: createSts({ resources, stack, credentials, authorize, now }),
    lambda: createLambda(invoke, authorize, stack),
    s3: createS3(buckets, { stack, authentication, authorize, log, listenerFor }),
  };
  const server = await startServing().catch(async (error) => {
    await engine.close();
    throw error;
  });
  let stopLifecycle: () => void = () => undefined;
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    credentialsForRole: (roleArn, sessionName) =>
      credentials.issue({ kind: 'session', roleArn, sessionName }),
    mayWriteLogs: createMayWriteLogs(authorize, stack),
    operatorCredentials: credentials.operator,
    startBackgroundWork: () => {
      bus.start();
      stopLifecycle = startLifecycle(buckets, resources, now, log);
      rotation
        .start()
        .catch((error) => log({ level: 'error', message: 'rotation failed', error: String(error) }));
    },
    close: async () => {
      stopLifecycle();
      // Functions at work on events still need the endpoint.
      await waitAtMost(patience, Promise.all([bus.stop(), rotation.stop()]));
      await server.close();
      await engine.close();
    },
  };

  async function startServing() {
    await createTables(engine, resources);
    return serve(
      options.port,
      (request) => dispatch(request, { services, authentication, meetFault, log }),
      now,
      log,
    );
  }
}

async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
