import { settings } from '../../lib/configuration.ts';
import type { AlarmDefinition, PageName } from '../../lib/monitoring/definition.ts';
import { alarmDefinitions } from '../../lib/monitoring/definitions.ts';
import { pages } from '../../lib/monitoring/pages.ts';
import { propertiesOf, type TemplateDocument } from '../../test/support/synthesized.ts';

/** Every alarm of a stack with the default settings, by the page that tells of it. */
export function alarmsTable(): string {
  const definitions = alarmDefinitions({ signingKeyRotationDays: settings.signingKeyRotationDays.fallback });
  const rows = definitions.map((definition) => {
    const { id, runbook, means, page } = definition;
    const told = page === 'own' ? 'itself' : link(page, pages[page].runbook);
    return `| ${link(id, runbook)} | ${raisedBy(definition)} | ${means} | ${told} |`;
  });
  return ['| Alarm | Raised by | What happened | Tells people |', '|---|---|---|---|', ...rows].join('\n');
}

/** A name with a link to its runbook, in a page of docs/. */
export function link(name: string, runbook: string): string {
  return `[\`${name}\`](runbooks/${runbook}.md)`;
}

/** When an alarm is raised, in words. */
export function raisedBy({ counts, comparison, threshold, unit, period }: AlarmDefinition): string {
  const beyond = comparison === 'above' ? 'more than' : 'less than';
  const isTime = unit === 'Milliseconds' || unit === 'Seconds';
  // Two times in one phrase are hard to tell apart: "more than 92 days within 5 minutes".
  return `${upperFirst(counts)}: ${beyond} ${amount(threshold, unit)}${isTime ? '' : ` within ${time(period)}`}`;
}

function amount(value: number, unit: AlarmDefinition['unit']): string {
  switch (unit) {
    case 'Count':
      return String(value);
    case 'Percent':
      return `${value} %`;
    case 'Milliseconds':
      return time(value / 1000);
    case 'Seconds':
      return time(value);
  }
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** US dollars a month in us-east-1 ("Amazon CloudWatch pricing"): for each metric of an alarm, and for each alarm. */
const prices = { metric: 0.1, compositeAlarm: 0.5, dashboard: 3 } as const;

interface Alarm {
  readonly Metrics?: readonly { readonly MetricStat?: unknown }[];
}

/** What the alarms and the dashboard cost when no part of them is free. */
export function alarmCosts(template: TemplateDocument): string {
  const alarms = propertiesOf<Alarm>(template, 'AWS::CloudWatch::Alarm');
  const metrics = alarms.reduce((sum, { Metrics }) => sum + metricsOf(Metrics), 0);
  const composites = propertiesOf<unknown>(template, 'AWS::CloudWatch::CompositeAlarm').length;
  const dashboards = propertiesOf<unknown>(template, 'AWS::CloudWatch::Dashboard').length;
  const rows = [
    ['Metrics that alarms compare', metrics, prices.metric],
    ['Composite alarms', composites, prices.compositeAlarm],
    ['Dashboard', dashboards, prices.dashboard],
  ] as const;
  const total = rows.reduce((sum, [, count, price]) => sum + count * price, 0);
  return [
    '| Part | Number | Price of one | Price a month |',
    '|---|---|---|---|',
    ...rows.map(([part, count, price]) => `| ${part} | ${count} | ${usd(price)} | ${usd(count * price)} |`),
    `| Together | | | ${usd(total)} |`,
  ].join('\n');
}

function metricsOf(queries: Alarm['Metrics']): number {
  return queries === undefined ? 1 : queries.filter(({ MetricStat }) => MetricStat !== undefined).length;
}

function usd(amountInDollars: number): string {
  return `$${amountInDollars.toFixed(2)}`;
}

/** A length of time in its greatest whole unit: `5 minutes`, `14 days`. */
export function time(seconds: number): string {
  const [unit, size] =
    (
      [
        ['day', 86_400],
        ['hour', 3600],
        ['minute', 60],
      ] as const
    ).find(([, length]) => seconds % length === 0) ?? (['second', 1] as const);
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The pages, in the order of their definition. */
export const pageNames = Object.keys(pages) as readonly PageName[];
