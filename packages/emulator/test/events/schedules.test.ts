import { join } from 'node:path';
import { createSchedules } from '../../events/schedules.ts';
import { functionArn, functionRole, lambda, resource, stack } from '../support/aws-services.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const minute = 60_000;
let directory: string;
beforeEach(async () => {
  directory = await temporaryFolder();
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

function start(ScheduleExpression = 'rate(15 minutes)') {
  const rule = resource('Rule', 'AWS::Events::Rule', {
    ScheduleExpression,
    Targets: [{ Id: 'one', Arn: functionArn('Fn') }],
  });
  const times: string[] = [];
  const bus = { deliverTo: async (_: unknown, event: { time: string }) => void times.push(event.time) };
  const resources = [...functionRole('Role'), lambda('Fn'), rule];
  const file = join(directory, 'schedules.json');
  const schedules = createSchedules(resources, bus, stack, () => new Date(), file);
  schedules.start();
  return { times, stop: schedules.stop };
}

it('a rule runs after each period, also over restarts', async () => {
  const first = start();
  vi.advanceTimersByTime(10 * minute);
  first.stop();
  vi.advanceTimersByTime(minute);
  const second = start();
  expect(second.times).toEqual([]);
  vi.advanceTimersByTime(4 * minute);
  expect(second.times).toHaveLength(1);
  vi.advanceTimersByTime(15 * minute);
  expect(second.times).toHaveLength(2);
  second.stop();
  // Rules that were due while the emulator was stopped run once at the next start.
  vi.advanceTimersByTime(100 * minute);
  const third = start();
  vi.advanceTimersByTime(1);
  expect(third.times).toHaveLength(1);
  third.stop();
});

it.for(['cron(0 * * * ? *)', 'rate(0 minutes)', 'rate(1 minutes)', 'rate(2 hours)', 'rate(5 minutes) '])(
  'a schedule that is not a rate stops the start: %s',
  (schedule) => {
    expect(() => start(schedule)).toThrow(
      `Rule: the schedule ${schedule} is not supported; use a rate in minutes`,
    );
  },
);
