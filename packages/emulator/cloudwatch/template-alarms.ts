import type * as v from 'valibot';
import { textOf } from '../shared/errors.ts';
import { ofType, type Resource, type TypedResource } from '../shared/resource-type.ts';
import type { AlarmSettings } from './evaluate-alarm.ts';
import { parseExpression } from './metric-math.ts';
import { measureOf } from './metric-stat.ts';
import { alarmType } from './resource-types.ts';

type Properties = v.InferOutput<typeof alarmType.properties>;

/** An alarm of the template. */
export interface TemplateAlarm {
  readonly name: string;
  readonly arn: string;
  readonly settings: AlarmSettings;
  readonly properties: Properties;
}

/**
 * Returns the alarms of the template.
 *
 * @throws {Error} naming the alarm, for anything that the emulator cannot evaluate
 */
export function readAlarms(resources: readonly Resource[]): readonly TemplateAlarm[] {
  return ofType(resources, alarmType).map(readAlarm);
}

function readAlarm(resource: TypedResource<typeof alarmType.properties>): TemplateAlarm {
  const { logicalId, ref, attributes, properties } = resource;
  const { Metrics, Threshold: threshold } = properties;
  try {
    const settings = { ...readMeasure(Metrics), threshold };
    return { name: ref, arn: attributes.Arn ?? '', settings, properties };
  } catch (error) {
    throw new Error(`${logicalId}: ${textOf(error)}`);
  }
}

/**
 * Returns the measure that the alarm watches: one expression over its metrics. The period is in milliseconds.
 */
function readMeasure(queries: Properties['Metrics']): Pick<AlarmSettings, 'measure' | 'period'> {
  const metrics = new Map(
    queries.flatMap(({ Id, MetricStat: stat }) =>
      stat === undefined ? [] : [[Id, { measure: measureOf(stat), period: stat.Period * 1000 }]],
    ),
  );
  const watched = queries.filter(({ ReturnData }) => ReturnData);
  const [{ Expression: text = undefined } = {}] = watched;
  if (watched.length !== 1 || text === undefined) {
    throw new Error('exactly one expression in Metrics must return data');
  }
  const { evaluate, ids } = parseExpression(text);
  const unknown = ids.find((id) => !metrics.has(id));
  if (unknown !== undefined) {
    throw new Error(`the expression names ${unknown}, which is not among the metrics`);
  }
  const [period, ...others] = new Set([...metrics.values()].map((metric) => metric.period));
  if (period === undefined || others.length > 0) {
    throw new Error('the metrics of an expression must have one period');
  }
  return {
    measure: (store, span) => evaluate((id) => metrics.get(id)?.measure(store, span)),
    period,
  };
}
