import * as v from 'valibot';
import { type Access, requireAllowed } from '../iam/authorize.ts';
import { parseInput } from '../protocols/parse-input.ts';
import { findOperation, type Input, type Service } from '../protocols/service.ts';
import type { AwsService } from '../registry/aws-service.ts';
import { regionalArn } from '../shared/names.ts';
import type { Alarms } from './alarms.ts';
import { getMetricData, invalidInput } from './metric-data.ts';
import type { MetricStore } from './metric-store.ts';
import { type CloudWatchSettings, openCloudWatch } from './open-cloudwatch.ts';
import { alarmType, dashboardType } from './resource-types.ts';
import { createServiceMetrics } from './service-metrics.ts';
import type { TemplateAlarm } from './template-alarms.ts';

/**
 * CloudWatch: records the metrics of all services, evaluates the alarms of the template, and responds to
 * calls.
 */
export const cloudWatch = {
  resourceTypes: [alarmType, dashboardType],
  start: async (emulator) => {
    const { store, alarms, begin, close, ...others } = await openCloudWatch(emulator);
    emulator.disposals.defer(close);
    return {
      ...others,
      endpoint: {
        protocol: 'json',
        name: 'monitoring',
        target: 'GraniteServiceVersion20100801',
        namespace: 'com.amazonaws.cloudwatch.v2010_08_01',
        version: '1.0',
        serve: createCloudWatch(store, alarms, emulator),
      },
      metrics: createServiceMetrics(store.record, () => emulator.now().getTime()),
      begin,
    };
  },
} satisfies AwsService<CloudWatchSettings>;

/** CloudWatch (API reference, version 2010-08-01): reads metrics and alarms. */
function createCloudWatch(store: MetricStore, alarms: Alarms, access: Access): Service {
  const operations = {
    DescribeAlarmHistory: (input: Input) => describeAlarmHistory(input, alarms),
    DescribeAlarms: (input: Input) => describeAlarms(input, alarms),
    GetMetricData: (input: Input) => getMetricData(input, store),
  };
  return async ({ principal, operation, input }) => {
    const act = findOperation(operations, operation);
    // Metrics are not resources in IAM (Service Authorization Reference, "Amazon CloudWatch").
    const resource = operation === 'GetMetricData' ? '*' : regionalArn('cloudwatch', 'alarm:*', access.stack);
    const call = { principal, action: `cloudwatch:${operation}`, resource };
    requireAllowed(call, access, [403, 'AccessDenied']);
    return act(input);
  };
}

const historySchema = v.strictObject({
  AlarmName: v.string(),
  HistoryItemType: v.literal('StateUpdate'),
  ScanBy: v.literal('TimestampDescending'),
  StartDate: v.number(),
});

/** Returns the changes of an alarm's state, on one page; AWS limits a page to 100. */
function describeAlarmHistory(input: unknown, alarms: Alarms) {
  const { AlarmName, HistoryItemType, StartDate } = parseInput(historySchema, input, invalidInput);
  const items = alarms.historyOf(AlarmName).map(({ state, reason, since }) => ({
    AlarmName,
    HistoryItemType,
    Timestamp: since / 1000,
    HistoryData: JSON.stringify({ newState: { stateValue: state, stateReason: reason } }),
  }));
  return { AlarmHistoryItems: items.filter(({ Timestamp }) => Timestamp >= StartDate).reverse() };
}

const describeSchema = v.strictObject({ AlarmNames: v.optional(v.array(v.string())) });

/** All alarms are on one page; AWS limits a page to 100. */
function describeAlarms(input: unknown, alarms: Alarms) {
  const { AlarmNames } = parseInput(describeSchema, input, invalidInput);
  const matching = alarms.all
    .filter(({ name }) => AlarmNames?.includes(name) ?? true)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { MetricAlarms: matching.map((alarm) => describe(alarm, alarms)), CompositeAlarms: [] };
}

function describe(alarm: TemplateAlarm, alarms: Alarms) {
  const { state, reason, since } = alarms.statusOf(alarm);
  const { Tags, ...properties } = alarm.properties;
  return {
    AlarmName: alarm.name,
    AlarmArn: alarm.arn,
    ActionsEnabled: true,
    InsufficientDataActions: [],
    StateValue: state,
    StateReason: reason,
    StateUpdatedTimestamp: since / 1000,
    StateTransitionedTimestamp: since / 1000,
    ...properties,
  };
}
