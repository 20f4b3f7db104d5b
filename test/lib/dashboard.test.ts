import { describe, expect, it } from 'vitest';
import { everyRoute, routeKey } from '../../contract/routes.ts';
import { versionNames } from '../../contract/versions.ts';
import { measuredFunctions, metrics, syncRefusals, tokenRefusals } from '../../storage/metrics.ts';
import { propertiesOf, readable, resourcesOf, synthesized } from '../support/synthesized.ts';

const { document, stack } = synthesized();

interface Options {
  readonly id?: string;
  readonly expression?: string;
  readonly stat?: string;
  readonly visible?: boolean;
}

/** A row of `metrics`: namespace, name, dimensions, then options. */
type Row = readonly (string | Options)[];

interface Widget {
  readonly type: 'text' | 'alarm' | 'metric' | 'log';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: {
    readonly title?: string;
    readonly markdown?: string;
    readonly query?: string;
    readonly alarms?: readonly string[];
    readonly metrics?: readonly Row[];
    readonly annotations?: {
      readonly horizontal: readonly { readonly value: number; readonly label: string }[];
    };
  };
}

const [dashboard] = propertiesOf<{ readonly DashboardBody: unknown }>(document, 'AWS::CloudWatch::Dashboard');
const { widgets } = JSON.parse(readable(dashboard?.DashboardBody)) as { widgets: readonly Widget[] };
const pictures = widgets.filter(({ type }) => type === 'metric');

/** One metric or expression, as text: the metric with its dimensions and its statistic. */
function shownRow(row: Row): string {
  const options = row.find((part): part is Options => typeof part !== 'string') ?? {};
  return options.expression ?? [...row.filter((part) => typeof part === 'string'), options.stat].join(' ');
}

const rowsOf = ({ properties }: Widget) => properties.metrics ?? [];

interface Metric {
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

interface Alarm extends Metric {
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Threshold: number;
  readonly Metrics?: readonly {
    readonly Expression?: string;
    readonly MetricStat?: { readonly Metric: Metric; readonly Stat: string };
  }[];
}

function shownMetric({ Namespace, MetricName, Dimensions = [] }: Metric, stat: string | undefined): string {
  const dimensions = Dimensions.flatMap(({ Name, Value }) => [Name, readable(Value)]);
  return [Namespace, MetricName, ...dimensions, stat].join(' ');
}

/** An alarm fills gaps, which would be lines at 0 in a picture. */
function unfilled(expression: string): readonly string[] {
  const inner = expression.replace(/^FILL\((.*), 0\)$/, '$1');
  return inner === 'value' ? [] : [inner];
}

/** What each alarm of the template compares, as rows of a picture show it. */
const alarms = resourcesOf(document, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => {
  const alarm = Properties as unknown as Alarm;
  const compared =
    alarm.Metrics === undefined
      ? [shownMetric(alarm, alarm.Statistic ?? alarm.ExtendedStatistic)]
      : alarm.Metrics.flatMap(({ Expression, MetricStat }) =>
          MetricStat === undefined
            ? unfilled(String(Expression))
            : shownMetric(MetricStat.Metric, MetricStat.Stat),
        );
  return { id: id.replace(/^Alarms(.*).{8}$/, '$1'), threshold: alarm.Threshold, compared };
});

describe('the dashboard', () => {
  it('asks five questions, in this order', () => {
    const texts = widgets.flatMap(({ properties }) => properties.markdown?.split('\n')[0] ?? []);
    expect(texts).toEqual([
      '## Is it up?',
      '## Is it slow?',
      '## Who is failing?',
      '## Are uploads arriving?',
      '## How old are the keys?',
    ]);
  });

  it('draws what every alarm compares, with a line at its threshold', () => {
    for (const { id, threshold, compared } of alarms) {
      const picture = pictures.find((widget) => {
        const shown = rowsOf(widget).map(shownRow);
        return compared.every((metric) => shown.includes(metric));
      });
      expect(picture?.properties.title, id).toBeDefined();
      const lines = picture?.properties.annotations?.horizontal ?? [];
      const line = lines.find(({ value }) => value === threshold);
      // The alarms of the routes have one line.
      expect(line?.label, id).toContain(id.replace(/^RequestsThrottled.*/, 'RequestsThrottled'));
    }
  });

  it('has no line that is not the threshold of an alarm', () => {
    const lines = pictures.flatMap(({ properties }) => properties.annotations?.horizontal ?? []);
    expect(lines.length).toBeGreaterThan(5);
    for (const { value, label } of lines) {
      for (const part of label.split(', ')) {
        const [name = '', text] = part.split(': ');
        expect(text).toBe(`above ${value}`);
        const named = alarms.filter(
          ({ id }) => id === name || id.startsWith(`${name}T`) || id.startsWith(name),
        );
        expect(named.map(({ threshold }) => threshold)).toContain(value);
      }
    }
  });

  it('shows the state of every alarm', () => {
    const [states] = widgets.filter(({ type }) => type === 'alarm');
    const shown = states?.properties.alarms?.map((arn) => arn.replace(/^<Alarms(\w+)\.Arn>$/, '$1'));
    expect([...(shown ?? [])].sort()).toEqual(alarms.map(({ id }) => id).sort());
  });

  it('names the clients that get no token, by the log of the function token', () => {
    const [query] = widgets.filter(({ type }) => type === 'log');
    expect(query?.properties.query).toContain("SOURCE '<TokenLogs>'");
    expect(query?.properties.query).toContain('| filter message = "Access token refused"');
    expect(query?.properties.query).toContain('by client_id');
  });

  it('has widgets that lie beside each other, none over another', () => {
    const places = widgets.flatMap(({ x, y, width, height }) => {
      expect(x + width).toBeLessThanOrEqual(24);
      return Array.from(
        { length: width * height },
        (_, at) => `${x + (at % width)} ${y + Math.floor(at / width)}`,
      );
    });
    expect(new Set(places).size).toBe(places.length);
  });
});

/** Metrics of AWS that the dashboard may draw, by namespace, each with its dimension and the resources that it names. */
const ofAws: Readonly<
  Record<string, { names: readonly string[]; dimension: string; types: readonly string[] }>
> = {
  'AWS/ApiGateway': {
    names: ['Count', '4xx', '5xx', 'Latency'],
    dimension: 'ApiId',
    types: ['AWS::ApiGatewayV2::Api'],
  },
  'AWS/Lambda': {
    names: ['Errors', 'Throttles', 'AsyncEventAge', 'AsyncEventsDropped', 'DeadLetterErrors', 'Invocations'],
    dimension: 'FunctionName',
    types: ['AWS::Lambda::Function'],
  },
  'AWS/Events': {
    names: ['FailedInvocations', 'InvocationsSentToDlq', 'InvocationsFailedToBeSentToDlq'],
    dimension: 'RuleName',
    types: ['AWS::Events::Rule'],
  },
  'AWS/SQS': {
    names: ['ApproximateNumberOfMessagesVisible'],
    dimension: 'QueueName',
    types: ['AWS::SQS::Queue'],
  },
};

const idOf = (reference: string) => /^<(\w+)(?:\.QueueName)?>$/.exec(reference)?.[1];

describe('every metric of the dashboard and the alarms exists', () => {
  const shown = pictures.flatMap((widget) => rowsOf(widget).filter((row) => !/[*(]/.test(shownRow(row))));
  const rows = shown.map((row) => row.filter((part) => typeof part === 'string'));
  const own = rows.filter(([namespace]) => namespace === stack.stackName);
  const others = rows.filter(([namespace]) => namespace !== stack.stackName);

  it('among those of AWS, with a resource of the stack', () => {
    expect(others.length).toBeGreaterThan(10);
    for (const [namespace = '', name = '', dimension, value = '', ...more] of others) {
      const known = ofAws[namespace];
      expect(known?.names, namespace).toContain(name);
      expect([dimension, more]).toEqual([known?.dimension, []]);
      const ids = (known?.types ?? []).flatMap((type) => resourcesOf(document, type).map(([id]) => id));
      expect(
        ids.map((id) => id.replace(/[0-9A-F]{8}$/, '')),
        value,
      ).toContain(idOf(value));
    }
  });

  it('among those of the service, with dimensions that it writes', () => {
    const filtered = propertiesOf<{
      readonly MetricTransformations: readonly { readonly MetricName: string }[];
    }>(document, 'AWS::Logs::MetricFilter').flatMap(({ MetricTransformations }) =>
      MetricTransformations.map(({ MetricName }) => MetricName),
    );
    const values: Readonly<Record<string, readonly string[]>> = {
      Function: measuredFunctions,
      Reason: [...tokenRefusals, ...syncRefusals],
      Route: Object.values(everyRoute()).map(routeKey),
      Version: versionNames,
    };
    const dimensionOf: Readonly<Record<string, string>> = { RequestsThrottled: 'Route' };
    expect(own.length).toBeGreaterThan(20);
    for (const [, name = '', dimension, value = '', ...more] of own) {
      const written = (metrics as Readonly<Record<string, { readonly by: string }>>)[name];
      expect(written !== undefined || filtered.includes(name), name).toBe(true);
      const by = written?.by === 'whole' ? undefined : (written?.by ?? dimensionOf[name]);
      // What is counted for each version is also counted as a whole.
      const allowed = by === 'Version' ? [by, undefined] : [by];
      expect(allowed, name).toContain(dimension);
      expect(more, name).toEqual([]);
      if (dimension !== undefined) {
        expect(values[dimension], name).toContain(value);
      }
    }
  });
});

it('is an output of the stack, by its name', () => {
  expect(readable(document.Outputs.DashboardName?.Value)).toBe('<AlarmsDashboard>');
});
