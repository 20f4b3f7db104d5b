import * as v from 'valibot';
import { type Authorize, requireAllowed } from '../iam/authorize.ts';
import { parseInput } from '../protocols/parse-input.ts';
import { findOperation, type Service, type ServiceCall } from '../protocols/service.ts';
import { regionalArn, type StackIdentity } from '../shared/names.ts';
import type { Alarms } from './alarms.ts';
import { getMetricData, invalidInput } from './metric-data.ts';
import type { MetricStore } from './metric-store.ts';
import type { TemplateAlarm } from './template-alarms.ts';

export interface CloudWatchParts {
  readonly store: MetricStore;
  readonly alarms: Alarms;
  readonly authorize: Authorize;
  readonly stack: StackIdentity;
}

type Operation = (input: ServiceCall['input']) => Readonly<Record<string, unknown>>;

/** CloudWatch (API reference, version 2010-08-01): metrics and alarms are read. */
export function createCloudWatch({ store, alarms, authorize, stack }: CloudWatchParts): Service {
  const operations: Readonly<Record<string, Operation>> = {
    DescribeAlarms: (input) => describeAlarms(input, alarms),
    GetMetricData: (input) => getMetricData(input, store),
  };
  return async ({ principal, operation, input }) => {
    const act = findOperation(operations, operation);
    // Metrics are no resources of IAM (Service Authorization Reference, "Amazon CloudWatch").
    const resource = operation === 'GetMetricData' ? '*' : regionalArn('cloudwatch', 'alarm:*', stack);
    const access = { principal, action: `cloudwatch:${operation}`, resource };
    requireAllowed(access, { authorize, stack }, [403, 'AccessDenied']);
    return act(input);
  };
}

const describeSchema = v.strictObject({ AlarmNames: v.optional(v.array(v.string())) });

/** All alarms are in one page, where AWS sends at most 100. */
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
    AlarmActions: [],
    OKActions: [],
    InsufficientDataActions: [],
    StateValue: state,
    StateReason: reason,
    StateUpdatedTimestamp: since / 1000,
    StateTransitionedTimestamp: since / 1000,
    ...properties,
  };
}
