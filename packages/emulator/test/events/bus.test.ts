import { createServiceMetrics } from '../../cloudwatch/service-metrics.ts';
import { type BusDependencies, createEventBus } from '../../events/bus.ts';
import { createDeadLetterSender } from '../../events/dead-letters.ts';
import { type BusEvent, createEvent } from '../../events/outbox.ts';
import type { EventTarget } from '../../events/targets.ts';
import type { Call } from '../../iam/authorize.ts';
import type { InvokeResult } from '../../lambda/invoke.ts';
import { stack } from '../support/aws-services.ts';

const noon = new Date('2026-01-31T12:00:00Z');
const type = { 'detail-type': 'Paid', source: 'orders' };
const event = { ...createEvent(stack, noon, { ...type, resources: [], detail: {} }), id: 'e1' };
const rule = {
  ruleArn: 'rule/Rule',
  bus: 'default',
  delivery: { retries: 3, maxAgeSeconds: 60, deadLetterQueueArn: 'Rules' },
};
const invocation = { retries: 2, maxAgeSeconds: 30, deadLetterQueueArn: 'Functions', roleArn: 'Role' };
const toFunction: EventTarget = { ...rule, kind: 'function', functionName: 'Fn', invocation };
const toQueue: EventTarget = { ...rule, kind: 'queue', queueArn: 'Mail' };

interface BusOptions extends Partial<BusDependencies> {
  readonly does?: 'fail' | 'throw';
  /** Action that is not allowed. */
  readonly denied?: string;
  /** True if SQS rejects dead letters. */
  readonly rejected?: boolean;
}

/** Creates a bus that records a line for each of its actions. */
function createBus({ does, denied, rejected = false, ...more }: BusOptions) {
  const did: string[] = [];
  const send = (to: string) => async (body: string) => did.push(`sends to ${to} ${JSON.parse(body).id}`);
  const queues = new Map(['Rules', 'Functions', 'Mail'].map((name) => [name, { send: send(name) }]));
  const authorize = ({ action }: Call) => ({ allowed: action !== denied });
  const metrics = createServiceMetrics(
    ({ namespace, name, dimensions, values, at }) =>
      did.push(`counts ${namespace} ${name} ${JSON.stringify(dimensions)} ${values} ${at}`),
    () => 7,
  );
  const dependencies = {
    stack,
    queues,
    authorize,
    metrics,
    outbox: { undelivered: [], remove: async () => undefined },
    sendDeadLetter: createDeadLetterSender(Object({ queues, authorize, isRejected: async () => rejected })),
    invoke: async (name: string, { id }: BusEvent) => {
      did.push(`invokes ${name} ${id}`);
      if (does === 'throw') {
        throw new Error('away');
      }
      return { ok: does !== 'fail', error: { errorType: 'Error', errorMessage: 'no' } };
    },
    random: () => 1,
    backoff: { firstMilliseconds: 1, maxMilliseconds: 2 },
    now: () => noon,
    log: (line: object) => did.push(`logs ${Object.values(line).join(' ')}`),
    ...more,
  };
  return { ...createEventBus(Object(dependencies)), did };
}

const after = (seconds: number) => ({ now: () => new Date(noon.getTime() + seconds * 1000) });
const mayNotSend = { denied: 'sqs:SendMessage' };

test.for<[string, BusOptions, EventTarget, number, ...string[]]>([
  [
    'a function fails',
    { does: 'fail', ...after(30) },
    toFunction,
    3,
    'sends to Functions e1',
    'logs error event moved to the dead-letter queue e1 Fn Error: no 2',
  ],
  [
    'SQS rejects its letter',
    { does: 'fail', rejected: true },
    toFunction,
    3,
    'counts AWS/Lambda DeadLetterErrors {"FunctionName":"Fn"} 1 7',
    'logs error event dropped e1 Fn Error: no 2',
  ],
  [
    'its role may not send its dead letter',
    { does: 'fail', ...mayNotSend },
    toFunction,
    3,
    'counts AWS/Lambda DeadLetterErrors {"FunctionName":"Fn"} 1 7',
    'logs error event dropped e1 Fn Error: no 2',
  ],
  [
    'its function has no dead-letter queue',
    { does: 'fail' },
    { ...toFunction, invocation: { ...invocation, deadLetterQueueArn: undefined } },
    3,
    'logs error event dropped e1 Fn Error: no 2',
  ],
  [
    'it is absent',
    { does: 'throw', ...after(60) },
    toFunction,
    4,
    'sends to Rules e1',
    'counts AWS/Events InvocationsSentToDlq {"RuleName":"Rule"} 1 7',
    'logs error event moved to the dead-letter queue e1 Fn Error: away 3',
  ],
  [
    'no rule may invoke it',
    { denied: 'lambda:InvokeFunction' },
    toFunction,
    0,
    'sends to Rules e1',
    'counts AWS/Events InvocationsSentToDlq {"RuleName":"Rule"} 1 7',
    'logs error event moved to the dead-letter queue e1 Fn NO_PERMISSIONS 0',
  ],
  ['a queue accepts it', {}, toQueue, 0, 'sends to Mail e1'],
  [
    'a queue is absent for a long time',
    after(61),
    { ...toQueue, queueArn: 'None' },
    0,
    'sends to Rules e1',
    'counts AWS/Events InvocationsSentToDlq {"RuleName":"Rule"} 1 7',
    'logs error event moved to the dead-letter queue e1 None there is no queue None 0',
  ],
  [
    'a rule of another bus may not send it',
    mayNotSend,
    { ...toQueue, bus: 'Bus' },
    0,
    'counts AWS/Events FailedInvocations {"EventBusName":"Bus","RuleName":"Rule"} 1 7',
    'logs error event dropped e1 Mail NO_PERMISSIONS 0',
  ],
])('an event is processed as in AWS when %s', async ([, given, target, invocations, ...then]) => {
  const bus = createBus(given);
  await bus.deliverTo(target, event);
  expect(bus.did).toEqual([...Array(invocations).fill('invokes Fn e1'), ...then]);
});

const targets = [{ ...toFunction, pattern: () => true }];
const chaos = { maxDelayMilliseconds: 0, doubled: 0.5, dropped: 0.2 };

test.for([
  ['once', undefined, 0, 1],
  ['twice when a test asks for that', chaos, 0.4, 2],
  ['once at other times', chaos, 0.5, 1],
  ['never when a test asks for that', chaos, 0.1, 0],
] as const)('an event reaches the rules of its bus %s', async ([, disturbed, random, count]) => {
  const bus = createBus({ targets, chaos: disturbed, random: () => random });
  bus.publish({ bus: 'default', event });
  bus.publish({ bus: 'other', event });
  expect(bus.did).toEqual([]);
  bus.start();
  await bus.settled();
  expect(bus.did).toHaveLength(count);
});

test('an event of an earlier process is delivered at the start, and then removed', async () => {
  const removed: BusEvent[] = [];
  const remove = async (delivered: BusEvent) => void removed.push(delivered);
  const outbox = { undelivered: [{ bus: 'default', event }], add: async () => undefined, remove };
  const bus = createBus({ targets, outbox });
  bus.start();
  await bus.settled();
  expect(bus.did).toEqual(['invokes Fn e1']);
  expect(removed).toEqual([event]);
});

test('events change their order when a test delays them', async () => {
  const draws = [1, 1, 1, 1, 1, 0];
  const times = { maxDelayMilliseconds: 20, doubled: 0 };
  const bus = createBus({ targets, chaos: times, random: () => draws.shift() ?? 1 });
  bus.start();
  bus.publish({ bus: 'default', event });
  bus.publish({ bus: 'default', event: { ...event, id: 'e2' } });
  await bus.settled();
  expect(bus.did).toEqual(['invokes Fn e2', 'invokes Fn e1']);
});

test('events do not delay a scheduled rule', async () => {
  const running: (() => void)[] = [];
  const invoke = (name: string) =>
    new Promise<InvokeResult>((resolve) => {
      running.push(() => resolve({ ok: true, payload: name }));
    });
  const bus = createBus({ targets, invoke });
  bus.start();
  Array.from({ length: 9 }, () => bus.publish({ bus: 'default', event }));
  await expect.poll(() => running).toHaveLength(8);
  const timed = bus.deliverTo(toFunction, event);
  await expect.poll(() => running).toHaveLength(9);
  running.at(-1)?.();
  await timed;
});
