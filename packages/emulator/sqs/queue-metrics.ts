import type { RecordMetric } from '../cloudwatch/metric-store.ts';
import type { Queue } from './queues.ts';

/** How long a queue counts as active after it held its last message. */
const activeMilliseconds = 6 * 3_600_000;

const minute = 60_000;

/**
 * Measures the queues as SQS does each minute, while a queue is active (SQS Developer Guide, "Available CloudWatch
 * metrics for Amazon SQS"). A number that has changed is sent immediately, so that an alarm need not wait for it.
 *
 * @param now milliseconds since the epoch
 */
export function createQueueMetrics(
  queues: ReadonlyMap<string, Queue>,
  now: () => number,
): (record: RecordMetric) => void {
  const watches = [...queues].map(([name, queue]) => watchQueue(name, queue));
  return (record) => {
    for (const watch of watches) {
      watch(record, now());
    }
  };
}

function watchQueue(name: string, queue: Queue) {
  let activeUntil = 0;
  let sent = { values: '', minute: 0 };
  return (record: RecordMetric, at: number) => {
    const { visible, inFlight, oldestSentAt } = queue.counts();
    activeUntil = visible + inFlight > 0 ? at + activeMilliseconds : activeUntil;
    const current = { values: `${visible} ${inFlight}`, minute: Math.floor(at / minute) };
    if (at >= activeUntil || (current.values === sent.values && current.minute === sent.minute)) {
      return;
    }
    sent = current;
    const send = (metric: string, value: number, unit: string) =>
      record({
        namespace: 'AWS/SQS',
        name: metric,
        dimensions: { QueueName: name },
        values: [value],
        unit,
        at,
      });
    send('ApproximateNumberOfMessagesVisible', visible, 'Count');
    send('ApproximateNumberOfMessagesNotVisible', inFlight, 'Count');
    const age = oldestSentAt === undefined ? 0 : (at - oldestSentAt) / 1000;
    send('ApproximateAgeOfOldestMessage', Math.max(0, Math.floor(age)), 'Seconds');
  };
}
