import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
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
  /**
   * Runs each rule in the background at the end of its period. The first period begins with the first start.
   * A restart does not begin a new period.
   */
  readonly start: () => void;
  /** Stops the schedules. Running functions are not ended. */
  readonly stop: () => void;
}

interface Schedule {
  readonly name: string;
  readonly periodMilliseconds: number;
  readonly targets: readonly EventTarget[];
}

/**
 * @param file file that stores the time at which the period of each rule began
 * @throws {Error} naming the resource, for a rule with an unsupported schedule
 */
export function createSchedules(
  resources: readonly Resource[],
  bus: Pick<EventBus, 'deliverTo'>,
  stack: StackIdentity,
  now: () => Date,
  file: string,
): Schedules {
  const schedules = collectSchedules(resources);
  const timers = new Map<string, NodeJS.Timeout>();
  const run = async ({ targets }: Schedule, time: Date) => {
    await Promise.all(targets.map((target) => bus.deliverTo(target, scheduledEvent(target, time, stack))));
  };
  return {
    run: async (time) => {
      await Promise.all(schedules.map((schedule) => run(schedule, time)));
    },
    start: () => {
      const startedAt = readStarts(file);
      const begin = (schedule: Schedule, at: number) => {
        const { name, periodMilliseconds } = schedule;
        startedAt[name] = at;
        writeFileSync(file, JSON.stringify(startedAt), { mode: 0o600 });
        const act = () => {
          begin(schedule, now().getTime());
          void run(schedule, now());
        };
        timers.set(name, setTimeout(act, at + periodMilliseconds - now().getTime()).unref());
      };
      for (const schedule of schedules) {
        begin(schedule, startedAt[schedule.name] ?? now().getTime());
      }
    },
    stop: () => [...timers.values()].forEach(clearTimeout),
  };
}

function collectSchedules(resources: readonly Resource[]): readonly Schedule[] {
  return ofType(resources, ruleType).flatMap((rule) => {
    const { ScheduleExpression: expression, State: state } = rule.properties;
    return expression === undefined || state === 'DISABLED'
      ? []
      : [
          {
            name: rule.logicalId,
            periodMilliseconds: readRate(expression, rule.logicalId),
            targets: targetsOf(rule, resources),
          },
        ];
  });
}

const startsSchema = v.record(v.string(), v.number());

/**
 * Reads the start of each rule's period, in milliseconds since the epoch. A file that a kill truncated is
 * ignored: the periods begin anew.
 */
function readStarts(file: string): Record<string, number> {
  try {
    return v.parse(startsSchema, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
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
