import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilterLogEventsCommandInput } from '@aws-sdk/client-cloudwatch-logs';
import { allow, functionRole, lambda, prepareRuns } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';

/**
 * Five rejections, a second apart, among lines that are not JSON, such as the trace of a crash of Node.js.
 */

const start = Date.parse('2026-11-22T12:00:00Z');

const at = (second: number) => new Date(start + second * 1000);

const rejections = [
  ...[0, 1, 2, 3].map((second) => `{"timestamp":"${at(second).toISOString()}","message":"no"}`),
  '{"time":"22/Nov/2026:12:00:04 +0000","message":"no"}',
];

const reader = allow(
  'logs:FilterLogEvents',
  'arn:aws:logs:us-east-1:000000000000:log-group:/aws/lambda/test-Fn:*',
);

const runs = await prepareRuns([
  ...functionRole('Role', reader),
  ...functionRole('Nobody', { ...reader, Action: 'logs:GetLogEvents' }),
  lambda('Fn'),
  lambda('Other'),
]);
const aws = await runs.start();
const logs = join(runs.stateDirectory, 'logs');
await mkdir(logs, { recursive: true });
const others = [
  'Error: it broke',
  '{"message":"no"}',
  `{"timestamp":"${at(1).toISOString()}","message":"yes"}`,
];
await appendFile(join(logs, 'test-Fn.log'), `${[...others, ...rejections].join('\n')}\n`);

function filter(input: Partial<FilterLogEventsCommandInput> = {}, role = 'Role') {
  return clients(aws, role).logs.filterLogEvents({
    logGroupName: '/aws/lambda/test-Fn',
    filterPattern: '{ $.message = "no" }',
    startTime: start,
    endTime: start + 60_000,
    ...input,
  });
}

const messages = ({ events = [] }: Awaited<ReturnType<typeof filter>>) =>
  events.map(({ message }) => message);

describe('FilterLogEvents', () => {
  it('returns the matching lines, oldest first', async () => {
    const { events = [], nextToken } = await filter();
    const expected = rejections.map((message, second) => ({
      message,
      timestamp: +at(second),
      ingestionTime: +at(second),
      logStreamName: 'local',
      eventId: String(others.length + second + 1),
    }));
    expect(events).toEqual(expected);
    expect(nextToken).toBeUndefined();
  });

  it('includes the first and the last millisecond', async () => {
    expect(messages(await filter({ startTime: +at(1), endTime: +at(3) }))).toEqual(rejections.slice(1, 4));
    expect(messages(await filter({ startTime: +at(1) + 1, endTime: +at(3) - 1 }))).toEqual([rejections[2]]);
  });

  it('returns all lines in pages, the last one without a token', async () => {
    const first = await filter({ limit: 2 });
    const second = await filter({ limit: 2, nextToken: first.nextToken });
    const third = await filter({ limit: 2, nextToken: second.nextToken });
    expect([first, second, third].map(messages)).toEqual([
      rejections.slice(0, 2),
      rejections.slice(2, 4),
      rejections.slice(4),
    ]);
    expect(third.nextToken).toBeUndefined();
  });

  it.each<[string, Partial<FilterLogEventsCommandInput>, string]>([
    ['an unsupported pattern', { filterPattern: '{ $.message = * }' }, 'does not support this filterPattern'],
    ['a fraction of an event', { limit: 1.5 }, 'parameters: limit'],
    ['a pattern with further terms', { filterPattern: '{ $.message = "no" } ?x' }, 'this filterPattern'],
    ['a token, without quoting it', { nextToken: 'secret' }, 'parameters: nextToken: expected digits'],
  ])('rejects %s', async (_, input, message) => {
    await expect(filter(input)).rejects.toThrow(message);
  });

  it('requires the log group, and a permission for it', async () => {
    await expect(filter({}, 'Nobody')).rejects.toThrow('is not authorized to perform: logs:FilterLogEvents');
    const other = { logGroupName: '/aws/lambda/test-Other' };
    await expect(filter(other)).rejects.toThrow('is not authorized to perform: logs:FilterLogEvents');
    const input = { logGroupName: '/aws/lambda', filterPattern: '{ $.a = "b" }', startTime: 0, endTime: 1 };
    await expect(clients(aws).logs.filterLogEvents(input)).rejects.toThrow(
      'The specified log group does not exist.',
    );
  });
});
