import { join } from 'node:path';
import { repeatedWork } from '../shared/concurrency.ts';
import { createPublish, type SnsSettings } from '../sns/publish.ts';
import { alarmMessage } from './alarm-message.ts';
import { type AlarmChange, type Alarms, openAlarms } from './alarms.ts';
import { createMetricStore, type MetricStore, type RecordMetric } from './metric-store.ts';
import { openMetricsFile } from './metrics-file.ts';
import { readAlarms } from './template-alarms.ts';

export interface CloudWatchSettings extends SnsSettings {
  /** Called when an alarm of the template changes its state. `logs/aws.log` records the change too. */
  readonly onAlarm?: ((change: AlarmChange) => void) | undefined;
}

/** Metrics of all services, and alarms of the template. */
export interface CloudWatch {
  readonly store: MetricStore;
  readonly alarms: Alarms;
  /** Adds a measurement to run before each evaluation, such as the length of a queue. */
  readonly sample: (measure: (record: RecordMetric) => void) => void;
  /** Runs the measurements, and evaluates the alarms as of a time, in milliseconds since the epoch. */
  readonly evaluate: (now: number) => Promise<void>;
  /** Starts to evaluate the alarms and to save the metrics. */
  readonly begin: () => void;
  readonly close: () => Promise<void>;
}

/** AWS evaluates most alarms every minute, which is too long a wait for a developer on one machine. */
const evaluationMilliseconds = 5_000;

/**
 * A `kill -9` loses the metrics of this time. CloudWatch too accepts metrics only "on a best-effort basis".
 */
const saveMilliseconds = 60_000;

/**
 * Opens CloudWatch, with the state of an earlier process if there is one.
 *
 * @throws {Error} naming the alarm of the template that cannot be evaluated
 */
export async function openCloudWatch(emulator: CloudWatchSettings): Promise<CloudWatch> {
  const { resources, stateDirectory, disk, log, onAlarm = () => undefined } = emulator;
  const now = () => emulator.now().getTime();
  const directory = join(stateDirectory, 'cloudwatch');
  const publish = createPublish(emulator);
  const store = createMetricStore();
  const save = await openMetricsFile(directory, store, disk);
  const alarms = await openAlarms({
    alarms: readAlarms(resources),
    store,
    directory,
    onChange: (change) => {
      log({ level: 'info', message: 'alarm changed its state', ...change });
      onAlarm(change);
    },
    act: (topicArn, alarm, change) =>
      publish({
        topicArn,
        service: 'cloudwatch.amazonaws.com',
        sourceArn: alarm.arn,
        at: now(),
        ...alarmMessage(alarm, change, emulator.stack),
      }),
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
  const act = async () => {
    await evaluate(now());
    if (now() - savedAt >= saveMilliseconds) {
      savedAt = now();
      store.age(savedAt);
      await save();
    }
  };
  const work = repeatedWork(evaluationMilliseconds, act, (error) =>
    log({ level: 'error', message: 'alarms could not be evaluated', error: String(error) }),
  );
  return {
    store,
    alarms,
    sample: (measure) => void measures.push(measure),
    evaluate,
    begin: work.start,
    close: async () => {
      await work.stop();
      await save();
    },
  };
}
