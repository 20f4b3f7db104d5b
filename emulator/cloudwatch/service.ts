import * as v from 'valibot';
import { type Authorize, refusalText } from '../iam/authorize.ts';
import type { Service, ServiceCall } from '../protocols/service.ts';
import { AwsError } from '../shared/errors.ts';
import { regionalArn, type StackIdentity } from '../shared/names.ts';
import type { AlarmChange, Alarms } from './alarms.ts';
import { getMetricData } from './metric-data.ts';
import type { MetricStore } from './metric-store.ts';
import type { CompositeAlarm, MetricAlarm, TemplateAlarm } from './template-alarms.ts';

export interface CloudWatchParts {
  readonly store: MetricStore;
  readonly alarms: Alarms;
  readonly authorize: Authorize;
  readonly stack: StackIdentity;
}

type Operation = (input: ServiceCall['input']) => Readonly<Record<string, unknown>>;

/** CloudWatch (API reference, version 2010-08-01): metrics are read, and alarms and their history. */
export function createCloudWatch({ store, alarms, authorize, stack }: CloudWatchParts): Service {
  const operations: Readonly<Record<string, Operation>> = {
    DescribeAlarmHistory: (input) => describeHistory(input, alarms),
    DescribeAlarms: (input) => describeAlarms(input, alarms),
    GetMetricData: (input) => getMetricData(input, store),
  };
  return async ({ principal, operation, input }) => {
    const act = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
    if (act === undefined) {
      throw new AwsError(400, 'UnknownOperationException', `The emulator does not support ${operation}`);
    }
    // Metrics are no resources of IAM (Service Authorization Reference, "Amazon CloudWatch").
    const resource = operation === 'GetMetricData' ? '*' : regionalArn('cloudwatch', 'alarm:*', stack);
    const access = { principal, action: `cloudwatch:${operation}`, resource };
    if (!authorize(access).allowed) {
      throw new AwsError(403, 'AccessDenied', refusalText(access, stack));
    }
    return act(input);
  };
}

const alarmTypes = v.picklist(['MetricAlarm', 'CompositeAlarm']);

const describeSchema = v.strictObject({
  AlarmNames: v.optional(v.array(v.string())),
  AlarmNamePrefix: v.optional(v.string()),
  AlarmTypes: v.optional(v.array(alarmTypes), ['MetricAlarm']),
  StateValue: v.optional(v.string()),
  MaxRecords: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(100)), 100),
  NextToken: v.optional(v.string()),
});

/** Without AlarmTypes, AWS describes metric alarms alone. */
function describeAlarms(input: unknown, alarms: Alarms) {
  const {
    AlarmNames,
    AlarmNamePrefix = '',
    AlarmTypes,
    StateValue,
    MaxRecords,
    NextToken,
  } = parse(describeSchema, input);
  const matching = alarms.all
    .filter(({ name }) => name.startsWith(AlarmNamePrefix) && (AlarmNames?.includes(name) ?? true))
    .filter((alarm) => AlarmTypes.includes(typeOf(alarm)))
    .filter((alarm) => StateValue === undefined || alarms.statusOf(alarm).state === StateValue)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const { page, next } = pageOf(matching, NextToken, MaxRecords);
  return {
    MetricAlarms: page.flatMap((alarm) => (alarm.kind === 'metric' ? [describeMetric(alarm, alarms)] : [])),
    CompositeAlarms: page.flatMap((alarm) =>
      alarm.kind === 'composite' ? [describeComposite(alarm, alarms)] : [],
    ),
    ...next,
  };
}

function typeOf({ kind }: TemplateAlarm): v.InferOutput<typeof alarmTypes> {
  return kind === 'metric' ? 'MetricAlarm' : 'CompositeAlarm';
}

function describeMetric(alarm: MetricAlarm, alarms: Alarms) {
  const { Tags, ...properties } = alarm.properties;
  return { ...describe(alarm, alarms), ...properties };
}

function describeComposite(alarm: CompositeAlarm, alarms: Alarms) {
  const { Tags, ...properties } = alarm.properties;
  return { ...describe(alarm, alarms), ...properties };
}

function describe(alarm: TemplateAlarm, alarms: Alarms) {
  const { state, reason, since } = alarms.statusOf(alarm);
  return {
    AlarmName: alarm.name,
    AlarmArn: alarm.arn,
    ActionsEnabled: true,
    AlarmActions: [],
    OKActions: [],
    InsufficientDataActions: [],
    StateValue: state,
    StateReason: reason,
    StateUpdatedTimestamp: since / 1000,
    StateTransitionedTimestamp: since / 1000,
  };
}

const historySchema = v.strictObject({
  AlarmName: v.optional(v.string()),
  AlarmTypes: v.optional(v.array(alarmTypes), ['MetricAlarm']),
  HistoryItemType: v.optional(v.literal('StateUpdate')),
  StartDate: v.optional(v.number()),
  EndDate: v.optional(v.number()),
  ScanBy: v.optional(v.picklist(['TimestampDescending', 'TimestampAscending']), 'TimestampDescending'),
  MaxRecords: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(100)), 100),
  NextToken: v.optional(v.string()),
});

/** Changes of state alone: the alarms of a template do not change while it serves. */
function describeHistory(input: unknown, alarms: Alarms) {
  const { AlarmName, AlarmTypes, StartDate, EndDate, ScanBy, MaxRecords, NextToken } = parse(
    historySchema,
    input,
  );
  const types = new Map(alarms.all.map((alarm) => [alarm.name, typeOf(alarm)]));
  const matching = alarms
    .history()
    .filter(({ alarm }) => AlarmName === undefined || alarm === AlarmName)
    .filter(({ alarm }) => AlarmTypes.some((type) => type === types.get(alarm)))
    .filter(({ at }) => at >= (StartDate ?? 0) * 1000 && at <= (EndDate ?? Number.POSITIVE_INFINITY) * 1000);
  const ordered = ScanBy === 'TimestampAscending' ? matching.toReversed() : matching;
  const { page, next } = pageOf(ordered, NextToken, MaxRecords);
  return { AlarmHistoryItems: page.map((change) => historyItem(change, types.get(change.alarm))), ...next };
}

function historyItem({ alarm, from, to, reason, at }: AlarmChange, type: string | undefined) {
  return {
    AlarmName: alarm,
    AlarmType: type,
    Timestamp: at / 1000,
    HistoryItemType: 'StateUpdate',
    HistorySummary: `Alarm updated from ${from} to ${to}`,
    HistoryData: JSON.stringify({
      version: '1.0',
      oldState: { stateValue: from },
      newState: { stateValue: to, stateReason: reason },
    }),
  };
}

function pageOf<Item>(items: readonly Item[], token: string | undefined, most: number) {
  const from = token === undefined ? 0 : Number(token);
  if (!Number.isInteger(from) || from < 0) {
    throw new AwsError(400, 'InvalidNextToken', 'The next token specified is invalid.');
  }
  const end = from + most;
  return { page: items.slice(from, end), next: end < items.length ? { NextToken: String(end) } : {} };
}

function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, input);
  if (parsed.success) {
    return parsed.output;
  }
  const text = parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join('; ');
  throw new AwsError(400, 'ValidationError', text);
}
