import { createSchedules } from '../../events/schedules.ts';
import { functionArn, functionRole, lambda, resource, stack } from '../support/aws-services.ts';

const minute = 60_000;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(ScheduleExpression = 'rate(15 minutes)') {
  const rule = resource('Rule', 'AWS::Events::Rule', {
    ScheduleExpression,
    Targets: [{ Id: 'one', Arn: functionArn('Fn') }],
  });
  const times: string[] = [];
  const bus = { deliverTo: async (_: unknown, event: { time: string }) => void times.push(event.time) };
  const resources = [...functionRole('Role'), lambda('Fn'), rule];
  const schedules = createSchedules(resources, bus, stack, () => new Date());
  schedules.start();
  return { times, stop: schedules.stop };
}

it('a rule runs after each period', () => {
  const { times, stop } = start();
  vi.advanceTimersByTime(14 * minute);
  expect(times).toEqual([]);
  vi.advanceTimersByTime(17 * minute);
  expect(times).toHaveLength(2);
  stop();
  vi.advanceTimersByTime(15 * minute);
  expect(times).toHaveLength(2);
});

it.for(['cron(0 * * * ? *)', 'rate(0 minutes)', 'rate(1 minutes)', 'rate(2 hours)', 'rate(5 minutes) '])(
  'a schedule that is not a rate stops the start: %s',
  (schedule) => {
    expect(() => start(schedule)).toThrow(
      `Rule: the schedule ${schedule} is not supported; use a rate in minutes`,
    );
  },
);
