import { randomUUID } from 'node:crypto';
import type { StackIdentity } from '../shared/names.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import type { EventBus } from './bus.ts';
import type { BusEvent } from './outbox.ts';
import { ruleType } from './resource-types.ts';
import { type EventTarget, targetsOf } from './targets.ts';

/** The rules of a template that run by time. */
export interface Schedules {
  /** Runs every rule once, as of a time, and resolves when its functions have ended. */
  readonly run: (now: Date) => Promise<void>;
  /**
   * Runs each rule whenever its period is over, in the background. The first time is one period from now.
   *
   * @returns stops that. What is under way goes on
   */
  readonly start: () => () => Promise<void>;
}

interface Schedule {
  readonly periodMilliseconds: number;
  readonly targets: readonly EventTarget[];
}

/** @throws {Error} naming the resource, for a rule whose schedule is not understood */
export function createSchedules(
  resources: readonly Resource[],
  bus: Pick<EventBus, 'deliverTo'>,
  stack: StackIdentity,
  now: () => Date,
): Schedules {
  const schedules = collectSchedules(resources);
  const run = async ({ targets }: Schedule, time: Date) => {
    await Promise.all(targets.map((target) => bus.deliverTo(target, scheduledEvent(target, time, stack))));
  };
  return {
    run: async (time) => {
      await Promise.all(schedules.map((schedule) => run(schedule, time)));
    },
    start: () => {
      const timers = schedules.map((schedule) =>
        setInterval(() => void run(schedule, now()), schedule.periodMilliseconds).unref(),
      );
      return async () => timers.forEach(clearInterval);
    },
  };
}

function collectSchedules(resources: readonly Resource[]): readonly Schedule[] {
  return ofType(resources, ruleType).flatMap((rule) => {
    const { ScheduleExpression: expression, State: state } = rule.properties;
    return expression === undefined || state === 'DISABLED'
      ? []
      : [{ periodMilliseconds: readRate(expression, rule.logicalId), targets: targetsOf(rule, resources) }];
  });
}

const unitMilliseconds: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** EventBridge User Guide, "Schedule expressions", rate expressions. A value of 1 has a unit in the singular. */
function readRate(expression: string, where: string): number {
  const [, value, unit = '', plural] = /^rate\((\d+) (minute|hour|day)(s?)\)$/.exec(expression) ?? [];
  const count = Number(value);
  if (!(count > 0) || (count === 1) !== (plural === '')) {
    throw new Error(`${where}: the schedule ${expression} is not supported; use a rate`);
  }
  return count * (unitMilliseconds[unit] ?? 0);
}

/** EventBridge User Guide, "Creating a rule that runs on a schedule". */
function scheduledEvent({ ruleArn }: EventTarget, time: Date, stack: StackIdentity): BusEvent {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: stack.accountId,
    time: time.toISOString().replace(/\.\d+Z$/, 'Z'),
    region: stack.region,
    resources: [ruleArn],
    detail: {},
  };
}
