import { ofType, type Resource, type TypedResource } from '../shared/resource-type.ts';
import { rotationScheduleType } from './resource-types.ts';
import { type Schedule, type Secret, unfinishedRotation } from './secret.ts';

export type TemplateSchedule = TypedResource<typeof rotationScheduleType.properties>;

const hourMilliseconds = 60 * 60 * 1000;

/**
 * The schedules of the template, by the ARN of their secret.
 *
 * @throws {Error} naming the schedule, when its rules are not understood
 */
export function templateSchedules(resources: readonly Resource[]): ReadonlyMap<string, TemplateSchedule> {
  return new Map(
    ofType(resources, rotationScheduleType).map((it) => {
      requirePeriod(it.properties.RotationRules, it.logicalId);
      return [it.properties.SecretId, it];
    }),
  );
}

/** What DescribeSecret says about rotation. */
export function describeSchedule(
  secret: Secret,
  schedule: Schedule | undefined,
): Readonly<Record<string, unknown>> {
  if (schedule === undefined) {
    return {};
  }
  return {
    RotationEnabled: true,
    RotationLambdaARN: schedule.functionArn,
    RotationRules: schedule.rules,
    NextRotationDate: dueAt(secret, schedule) / 1000,
  };
}

/** When the next rotation is due, in milliseconds since the epoch. */
export function dueAt(secret: Secret, schedule: Schedule): number {
  if (unfinishedRotation(secret) !== undefined) {
    return 0;
  }
  const since = secret.rotatedAt ?? schedule.setAt;
  return since === undefined ? 0 : since + requirePeriod(schedule.rules, secret.name);
}

/**
 * @returns the time between two rotations, in milliseconds
 * @throws {Error} naming the owner of the rules
 */
export function requirePeriod(rules: Schedule['rules'], owner: string): number {
  const { AutomaticallyAfterDays: days, ScheduleExpression: expression } = rules;
  const rate = /^rate\((\d+) (hour|day)s?\)$/.exec(expression ?? '');
  const hours = days !== undefined ? days * 24 : Number(rate?.[1]) * (rate?.[2] === 'day' ? 24 : 1);
  if (Number.isNaN(hours)) {
    throw new Error(`${owner}: rotation needs AutomaticallyAfterDays or a rate of hours or days`);
  }
  return hours * hourMilliseconds;
}
