import { cloudWatch } from '../cloudwatch/service.ts';
import { lambda } from '../lambda/service.ts';
import type { LambdaSettings } from '../lambda/settings.ts';
import type { AwsService, Use } from '../registry/aws-service.ts';
import { ofType } from '../shared/resource-type.ts';
import { sqs } from '../sqs/service.ts';
import { createEventBus, type EventBackoff, type EventBus, type EventChaos } from './bus.ts';
import { createDeadLetterSender } from './dead-letters.ts';
import { createEvents } from './operations.ts';
import { type Outbox, openOutbox, type SentEvent } from './outbox.ts';
import { eventBusPolicies, eventBusPolicyType, eventBusType, ruleType } from './resource-types.ts';
import { createSchedules } from './schedules.ts';
import { collectTargets } from './targets.ts';

export interface EventsSettings extends LambdaSettings {
  /** Disturbs event deliveries. */
  readonly eventChaos?: EventChaos | undefined;
  /** Delays before a retry of a failed function. */
  readonly eventBackoff?: EventBackoff | undefined;
  /**
   * Called with each event that PutEvents accepts, before the response is sent. If this function fails, the
   * call fails, and the sender can send the event again.
   */
  readonly onEvent?: ((sent: SentEvent) => Promise<void>) | undefined;
  /** Returns true if SQS currently rejects dead letters because a test has set a fault. */
  readonly rejectsDeadLetters: () => Promise<boolean>;
}

/**
 * Delays before retries of a function that failed to process an event. AWS waits minutes, which is too long
 * for a developer.
 */
const defaultBackoff: EventBackoff = { firstMilliseconds: 500, maxMilliseconds: 30_000 };

/** EventBridge. Each undelivered event is a file. */
export const events = {
  resourceTypes: [eventBusType, eventBusPolicyType, ruleType],
  policies: eventBusPolicies,
  start: async (emulator, use) => {
    const { resources, stack, stateDirectory, now, onEvent = async () => undefined } = emulator;
    const outbox = await openOutbox(stateDirectory);
    const bus = await openBus(emulator, use, outbox);
    const schedules = createSchedules(resources, bus, stack, now);
    const busNames = new Set(ofType(resources, eventBusType).map(({ ref }) => ref));
    return {
      outbox,
      bus,
      runSchedules: schedules.run,
      endpoint: {
        protocol: 'json',
        name: 'events',
        target: 'AWSEvents',
        version: '1.1',
        serve: createEvents({ ...emulator, outbox, bus, busNames, onEvent }),
      },
      begin: () => {
        bus.start();
        schedules.start();
      },
      stop: async () => {
        schedules.stop();
        await bus.stop();
      },
    };
  },
} satisfies AwsService<EventsSettings>;

async function openBus(
  emulator: EventsSettings,
  use: Use<EventsSettings>,
  outbox: Outbox,
): Promise<EventBus> {
  const { resources, authorize, rejectsDeadLetters: isRejected } = emulator;
  const { queues } = await use(sqs);
  const { invoke } = await use(lambda);
  const { metrics } = await use(cloudWatch);
  return createEventBus({
    ...emulator,
    outbox,
    queues,
    invoke,
    metrics,
    targets: collectTargets(resources),
    sendDeadLetter: createDeadLetterSender({ queues, authorize, isRejected }),
    chaos: emulator.eventChaos,
    backoff: emulator.eventBackoff ?? defaultBackoff,
    random: Math.random,
  });
}
