import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { SentEvent } from '../../events/outbox.ts';
import type { RunningServices } from '../../running-services.ts';
import {
  type AwsRunOptions,
  type AwsRuns,
  functionArn,
  functionRole,
  lambda,
  permission,
  prepareRuns,
  queueFor,
  resource,
  roleArnOf,
} from '../support/aws-services.ts';
import { clients, lettersIn } from '../support/clients.ts';

const busArn = 'arn:aws:events:us-east-1:000000000000:event-bus/test-Bus';
const queueArn = 'arn:aws:sqs:us-east-1:000000000000:test-Mail';
const ruleArn = (name: string) => `arn:aws:events:us-east-1:000000000000:rule/test-${name}`;

const rule = (name: string, EventBusName: string, ...targets: readonly object[]) =>
  resource(name, 'AWS::Events::Rule', {
    EventBusName,
    EventPattern: { source: ['orders'], 'detail-type': ['Paid'] },
    Targets: targets.map((target, index) => ({ Id: String(index), ...target })),
  });

const resources = [
  resource('Bus', 'AWS::Events::EventBus', { Name: 'test-bus' }),
  resource('Other', 'AWS::Events::EventBus', { Name: 'test-other' }),
  resource('Mail', 'AWS::SQS::Queue', {}),
  queueFor('Mail', ruleArn('Rule')),
  ...functionRole('Sender', { Effect: 'Allow', Action: 'events:PutEvents', Resource: '*' }),
  ...functionRole('Denied', { Effect: 'Deny', Action: 'events:PutEvents', Resource: '*' }),
  ...functionRole('Role', {
    Effect: 'Allow',
    Action: 'events:PutEvents',
    Resource: busArn,
    Condition: { StringEquals: { 'events:source': 'orders' } },
  }),
  lambda('Handle'),
  permission('Handle', 'events.amazonaws.com', { SourceArn: ruleArn('Rule') }),
  rule('Rule', busArn, { Arn: functionArn('Handle') }, { Arn: queueArn }),
  lambda('Hear'),
  permission('Hear', 'events.amazonaws.com', { SourceArn: ruleArn('OtherRule') }),
  rule('OtherRule', 'test-Other', { Arn: functionArn('Hear') }),
];

let runs: AwsRuns;
beforeEach(async () => {
  runs = await prepareRuns(resources);
});

async function start(options: Partial<AwsRunOptions> = {}) {
  const invoked: [string, unknown][] = [];
  const recorded: SentEvent[] = [];
  const aws = await runs.start({
    invoke: async (name, payload) => {
      invoked.push([name, payload]);
      return { ok: true, payload: null };
    },
    onEvent: async (sent) => void recorded.push(sent),
    ...options,
  });
  aws.startBackgroundWork();
  return { aws, invoked, recorded };
}

const paid = (change: Partial<PutEventsRequestEntry> = {}): PutEventsRequestEntry => ({
  EventBusName: 'test-Bus',
  Source: 'orders',
  DetailType: 'Paid',
  Detail: '{"amount":5}',
  ...change,
});

const put = (aws: RunningServices, Entries: PutEventsRequestEntry[], role?: string) =>
  clients(aws, role).eventbridge.putEvents({ Entries });

describe('an event of PutEvents', () => {
  it('reaches the function and the queue of a rule of its bus', async () => {
    const { aws, invoked, recorded } = await start();
    await put(aws, [paid({ Time: new Date('2026-01-31T09:00:00.500Z') })]);
    await aws.eventsSettled();
    const [mail] = await lettersIn(aws, 'Mail');
    const event = JSON.parse(mail?.Body ?? '');
    expect(event).toMatchObject({ time: '2026-01-31T09:00:00Z', detail: { amount: 5 } });
    expect(invoked).toEqual([['test-Handle', event]]);
    expect(recorded).toEqual([{ bus: 'test-Bus', event }]);
  });

  it('reaches only its bus; an entry without a rule or right source does not', async () => {
    const { aws, invoked, recorded } = await start();
    const EventBusName = busArn.replace('test-Bus', 'test-Other');
    const others = [paid({ DetailType: 'Sent' }), paid({ EventBusName: 'unknown' })];
    const { Entries = [] } = await put(aws, [paid({ Source: 'aws.s3' }), paid({ EventBusName }), ...others]);
    const [ofAws, ...accepted] = Entries.map(({ ErrorCode }) => ErrorCode);
    expect(ofAws).toBe('NotAuthorizedForSourceException');
    expect(accepted).toEqual([undefined, undefined, undefined]);
    await aws.eventsSettled();
    expect(invoked.map(([name]) => name)).toEqual(['test-Hear']);
    expect(recorded.map(({ bus }) => bus)).toEqual(['test-Other', 'test-Bus']);
    expect(await readdir(join(runs.stateDirectory, 'events'))).toEqual([]);
  });

  it('is rejected if its first listener fails', async () => {
    const lines: object[] = [];
    const { aws, invoked } = await start({
      onEvent: () => Promise.reject(new Error('no space')),
      log: ({ request_id, ...line }) => lines.push(line),
    });
    await expect(put(aws, [paid()])).rejects.toThrow('The emulator failed.');
    expect(lines).toEqual([{ level: 'error', message: 'AWS endpoint failed', text: 'Error: no space' }]);
    await aws.eventsSettled();
    expect(invoked).toEqual([]);
  });
});

describe('a call', () => {
  it('accepts ten entries below 1 MB', async () => {
    const { aws } = await start();
    // `orders`, `Paid` and `{"a":""}` count besides the text.
    const entry = (bytes: number) => paid({ Detail: `{"a":"${'a'.repeat(bytes - 18)}"}` });
    const nine = Array.from({ length: 9 }, () => entry(1024));
    const rest = 1024 * 1024 - 9 * 1024;
    expect((await put(aws, [...nine, entry(rest - 1)])).FailedEntryCount).toBe(0);
    await expect(put(aws, [...nine, entry(rest)])).rejects.toThrow('over the limit');
  });

  it.for([{ EventBusName: 'test-Other' }, { Source: 'invoices' }, { EventBusName: undefined }])(
    'is rejected if the role may not put one of its entries: %j',
    async (change) => {
      const { aws } = await start();
      await expect(put(aws, [paid(), paid(change)], 'Role')).rejects.toThrow('to perform: events:PutEvents');
    },
  );
});

describe('the policy of a bus that denies all roles except one', () => {
  const Statement = {
    Effect: 'Deny',
    Principal: '*',
    Action: 'events:PutEvents',
    Resource: busArn,
    Condition: { ArnNotEquals: { 'aws:PrincipalArn': roleArnOf('Role') } },
  };
  const denial = resource('BusPolicy', 'AWS::Events::EventBusPolicy', {
    EventBusName: 'test-Bus',
    StatementId: 'Denial',
    Statement,
  });

  it('is not named if the policy of the role denies', async () => {
    const { aws } = await start();
    await expect(put(aws, [paid()], 'Denied')).rejects.toThrow(/:event-bus\/test-Bus$/);
  });

  it('accepts the role, and rejects a role that may send to every bus', async () => {
    const { aws } = await start({ resources: [...resources, denial] });
    expect((await put(aws, [paid()], 'Role')).FailedEntryCount).toBe(0);
    expect((await put(aws, [paid({ EventBusName: 'test-Other' })], 'Sender')).FailedEntryCount).toBe(0);
    await expect(put(aws, [paid()], 'Sender')).rejects.toThrow(
      'with an explicit deny in a resource-based policy',
    );
  });
});
