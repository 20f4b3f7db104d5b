import { ofType, type Resource, type TypedResource } from '../shared/resource-type.ts';
import { readMeasure } from './alarm-measure.ts';
import { type AlarmRule, parseAlarmRule } from './alarm-rule.ts';
import { type AlarmSettings, isComparison } from './evaluate-alarm.ts';
import { alarmType, compositeAlarmType } from './resource-types.ts';

interface NamedAlarm {
  readonly name: string;
  readonly arn: string;
}

/** An alarm of the template on one metric. */
export interface MetricAlarm extends NamedAlarm {
  readonly kind: 'metric';
  readonly settings: AlarmSettings;
  readonly properties: TypedResource<typeof alarmType.properties>['properties'];
}

/** An alarm of the template on the states of others. */
export interface CompositeAlarm extends NamedAlarm {
  readonly kind: 'composite';
  readonly rule: AlarmRule;
  readonly properties: TypedResource<typeof compositeAlarmType.properties>['properties'];
}

export type TemplateAlarm = MetricAlarm | CompositeAlarm;

/**
 * The alarms of the template. A composite alarm comes after those that it names.
 *
 * @throws {Error} naming the alarm, for anything that the emulator cannot evaluate
 */
export function readAlarms(resources: readonly Resource[]): readonly TemplateAlarm[] {
  const alarms: TemplateAlarm[] = ofType(resources, alarmType).map((resource) => ({
    kind: 'metric',
    ...nameOf(resource),
    settings: readSettings(resource),
    properties: resource.properties,
  }));
  // The template's resources are in the order of their creation, in which what an alarm names comes first.
  for (const resource of ofType(resources, compositeAlarmType)) {
    const { logicalId, properties } = resource;
    const rule = explained(logicalId, () => parseAlarmRule(properties.AlarmRule));
    const isUnknown = (named: string) => !alarms.some(({ name, arn }) => named === name || named === arn);
    const unknown = rule.alarms.find(isUnknown);
    if (unknown !== undefined) {
      throw new Error(`${logicalId}: its rule names ${unknown}, which is not an alarm made before it`);
    }
    const { ActionsSuppressor: suppressor } = properties;
    if (suppressor !== undefined && isUnknown(suppressor)) {
      throw new Error(`${logicalId}: its suppressor ${suppressor} is not an alarm made before it`);
    }
    alarms.push({ kind: 'composite', ...nameOf(resource), rule, properties });
  }
  return alarms;
}

function nameOf({ ref, attributes }: Resource): NamedAlarm {
  return { name: ref, arn: attributes.Arn ?? '' };
}

function readSettings({ logicalId, properties }: TypedResource<typeof alarmType.properties>): AlarmSettings {
  const { ComparisonOperator, EvaluationPeriods } = properties;
  if (!isComparison(ComparisonOperator)) {
    throw new Error(`${logicalId}: the comparison ${ComparisonOperator} is not supported`);
  }
  return {
    ...explained(logicalId, () => readMeasure(properties)),
    evaluationPeriods: EvaluationPeriods,
    datapointsToAlarm: properties.DatapointsToAlarm ?? EvaluationPeriods,
    threshold: properties.Threshold,
    comparison: ComparisonOperator,
    missingData: properties.TreatMissingData,
  };
}

/** Names the resource in an error. */
function explained<Result>(logicalId: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new Error(`${logicalId}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
