import type { Authorize } from '../iam/authorize.ts';
import type { Service } from '../protocols/service.ts';
import type { DiskTrouble } from '../shared/disk-trouble.ts';
import type { StackIdentity } from '../shared/names.ts';
import type { Resource } from '../shared/resource-type.ts';
import { createPublish, type Publish } from '../sns/publish.ts';
import { alarmMessage } from './alarm-message.ts';
import { type AlarmChange, openAlarms } from './alarms.ts';
import { keepMetrics } from './kept-metrics.ts';
import { createMetricStore, type RecordMetric } from './metric-store.ts';
import { createCloudWatch } from './service.ts';
import { readAlarms, type TemplateAlarm } from './template-alarms.ts';

export interface CloudWatchOptions {
  /** Folder for metrics and the states of alarms, which survive a restart. */
  readonly directory: string;
  readonly resources: readonly Resource[];
  readonly stack: StackIdentity;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly disk: Pick<DiskTrouble, 'noteFailure'>;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  /** Hears when an alarm changes its state. */
  readonly onAlarm: (change: AlarmChange) => void;
  readonly authorize: Authorize;
  /** Takes a line for each message that an alarm publishes. */
  readonly notificationsFile: string;
}

/** CloudWatch: takes the metrics of all services, evaluates the alarms of the template, and answers calls. */
export interface CloudWatch {
  readonly record: RecordMetric;
  readonly service: Service;
  /** Measures by something that has to be asked, such as the length of a queue. It is asked every minute. */
  readonly sample: (measure: (record: RecordMetric) => void) => void;
  /** Takes the samples, and evaluates the alarms as of a time, in milliseconds since the epoch. */
  readonly evaluate: (now: number) => Promise<void>;
  /** Starts to evaluate the alarms and to save the metrics. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

/** AWS evaluates most alarms every minute. Whoever tries something on one machine should not wait that long. */
const evaluationMilliseconds = 5_000;

/** A `kill -9` loses the metrics of this time. CloudWatch may lose some as well: it takes them "on a best-effort basis". */
const saveMilliseconds = 60_000;

/**
 * Opens CloudWatch on the state of an earlier process, if there is one.
 *
 * @throws {Error} naming the alarm of the template that cannot be evaluated
 */
export async function openCloudWatch(options: CloudWatchOptions): Promise<CloudWatch> {
  const { directory, resources, stack, now, disk, log, authorize, notificationsFile: file } = options;
  const publish = createPublish({ resources, authorize, file, disk, log });
  const store = createMetricStore();
  const save = await keepMetrics(directory, store, disk);
  const alarms = await openAlarms({
    alarms: readAlarms(resources),
    store,
    directory,
    onChange: options.onAlarm,
    act: (action, alarm, change) => notify(action, alarm, change, publish, options),
    now,
    disk,
  });
  const measures: ((record: RecordMetric) => void)[] = [];
  const evaluate = async (at: number) => {
    for (const measure of measures) {
      measure(store.record);
    }
    await alarms.evaluate(at);
  };
  let savedAt = now();
  const work = createWork(async () => {
    await evaluate(now());
    if (now() - savedAt >= saveMilliseconds) {
      savedAt = now();
      store.age(savedAt);
      await save();
    }
  }, log);
  return {
    record: store.record,
    service: createCloudWatch({ store, alarms, authorize, stack }),
    sample: (measure) => void measures.push(measure),
    evaluate,
    start: work.start,
    close: async () => {
      await work.stop();
      await save();
    },
  };
}

/** Tells a topic. Other actions of alarms, such as invoking a function, are not supported. */
async function notify(
  action: string,
  alarm: TemplateAlarm,
  change: AlarmChange,
  publish: Publish,
  { stack, log, now }: CloudWatchOptions,
): Promise<void> {
  if (!/^arn:[^:]+:sns:/.test(action)) {
    log({ level: 'error', message: 'an action of an alarm is not supported', alarm: alarm.name, action });
    return;
  }
  const service = 'cloudwatch.amazonaws.com';
  const published = { topicArn: action, service, sourceArn: alarm.arn, at: now() };
  await publish({ ...published, ...alarmMessage(alarm, change, stack) });
}

/** Runs work again and again, never twice at the same time. */
function createWork(act: () => Promise<void>, log: CloudWatchOptions['log']) {
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    running = running.then(act).catch((error) => {
      log({ level: 'error', message: 'alarms could not be evaluated', error: String(error) });
    });
  };
  return {
    start: () => {
      run();
      timer = setInterval(run, evaluationMilliseconds);
      timer.unref();
    },
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
