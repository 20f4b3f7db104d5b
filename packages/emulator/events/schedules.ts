import type { StackIdentity } from '../shared/names.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import type { EventBus } from './bus.ts';
import { type BusEvent, createEvent } from './outbox.ts';
import { ruleType } from './resource-types.ts';
import { type EventTarget, targetsOf } from './targets.ts';

/** The scheduled rules of a template. */
interface Schedules {
  /** Runs every rule once, as of a time. Resolves when the functions of the rules have ended. */
  readonly run: (now: Date) => Promise<void>;
  /** Runs each rule in the background, after each period from now on. */
  readonly start: () => void;
  /** Stops the schedules. Running functions are not ended. */
  readonly stop: () => void;
}

interface Schedule {
  readonly periodMilliseconds: number;
  readonly targets: readonly EventTarget[];
}

/** @throws {Error} naming the resource, for a rule with an unsupported schedule */
export function createSchedules(
  resources: readonly Resource[],
  bus: Pick<EventBus, 'deliverTo'>,
  stack: StackIdentity,
  now: () => Date,
): Schedules {
  const schedules = collectSchedules(resources);
  const timers: NodeJS.Timeout[] = [];
  const run = async ({ targets }: Schedule, time: Date) => {
    await Promise.all(targets.map((target) => bus.deliverTo(target, scheduledEvent(target, time, stack))));
  };
  return {
    run: async (time) => {
      await Promise.all(schedules.map((schedule) => run(schedule, time)));
    },
    start: () => {
      for (const schedule of schedules) {
        timers.push(setInterval(() => void run(schedule, now()), schedule.periodMilliseconds).unref());
      }
    },
    stop: () => timers.forEach(clearInterval),
  };
}

function collectSchedules(resources: readonly Resource[]): readonly Schedule[] {
  return ofType(resources, ruleType).flatMap((rule) => {
    const { ScheduleExpression: expression, State: state } = rule.properties;
    return expression === undefined || state === 'DISABLED'
      ? []
      : [
          {
            periodMilliseconds: readRate(expression, rule.logicalId),
            targets: targetsOf(rule, resources),
          },
        ];
  });
}

/**
 * Reads a rate in minutes (EventBridge User Guide, "Schedule expressions"). A value of 1 requires a unit in the
 * singular.
 */
function readRate(expression: string, where: string): number {
  const [, one, more] = /^rate\((?:(1) minute|(\d+) minutes)\)$/.exec(expression) ?? [];
  const minutes = Number(one ?? more);
  if (!(minutes > 0) || more === '1') {
    throw new Error(`${where}: the schedule ${expression} is not supported; use a rate in minutes`);
  }
  return minutes * 60_000;
}

/** EventBridge User Guide, "Creating a rule that runs on a schedule". */
function scheduledEvent({ ruleArn }: EventTarget, time: Date, stack: StackIdentity): BusEvent {
  return createEvent(stack, time, {
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    resources: [ruleArn],
    detail: {},
  });
}
