import type { Activity, ActivitySeries } from '../../../operator/activity.ts';
import type { Alarm } from '../../../operator/alarms.ts';
import { counted, formatBytes } from '../../../operator/text.ts';
import { List } from '../../components/list.tsx';
import { Plot } from '../../components/plot.tsx';
import { Badge, Text, Time } from '../../components/text.tsx';

/** The counts that are drawn. All others are in the table of totals. */
const drawn = [
  'TokensIssued',
  'TokensRefused',
  'SyncsIssued',
  'SyncsRefused',
  'UploadsCompleted',
  'UploadBytes',
];

/** Tokens, syncs and uploads over time, refusals by reason, and everything else that is counted. */
export function ActivityPlots({ activity }: { readonly activity: Activity }) {
  const whole = activity.series.filter(({ reason }) => reason === undefined);
  const refusals = activity.series.filter(({ reason, total }) => reason !== undefined && (total ?? 0) > 0);
  return (
    <>
      <div class="columns">
        {whole
          .filter(({ metric }) => drawn.includes(metric))
          .map((series) => (
            <SeriesPlot series={series} activity={activity} />
          ))}
      </div>
      <h3>Refusals by reason</h3>
      {refusals.length === 0 ? (
        <p>Nothing was refused.</p>
      ) : (
        <List
          label="Refusals by reason"
          columns={[
            { heading: 'What', cell: ({ meaning }) => meaning },
            { heading: 'Reason', cell: ({ reason = '' }) => <Text of={reason} /> },
            { heading: 'How many', cell: totalOf, align: 'right' },
          ]}
          rows={refusals.toSorted((a, b) => (b.total ?? 0) - (a.total ?? 0))}
        />
      )}
      <details>
        <summary>All counts</summary>
        <List
          label="All counts"
          columns={[
            { heading: 'What', cell: ({ meaning, statistic }) => `${meaning}${suffixOf(statistic)}` },
            { heading: 'How much', cell: totalOf, align: 'right' },
          ]}
          rows={whole}
        />
      </details>
    </>
  );
}

function SeriesPlot({ series, activity }: { readonly series: ActivitySeries; readonly activity: Activity }) {
  const { meaning, values } = series;
  const points = activity.times.map((time, index) => ({ at: Date.parse(time), value: values[index] ?? 0 }));
  const most = Math.max(0, ...points.map(({ value }) => value));
  const minutes = activity.period_seconds / 60;
  return (
    <Plot
      title={`${meaning}: ${totalOf(series)}`}
      description={`${totalOf(series)} in all, at most ${formatValue(series.unit, most)} in ${counted(minutes, 'minute')}`}
      points={points}
      from={Date.parse(activity.since)}
      until={Date.parse(activity.until)}
      format={(value) => formatValue(series.unit, value)}
    />
  );
}

function totalOf({ unit, total }: ActivitySeries): string {
  return total === null ? '–' : formatValue(unit, total);
}

function formatValue(unit: string, value: number): string {
  if (unit === 'Bytes') {
    return formatBytes(value);
  }
  return unit === 'Milliseconds' ? `${Math.round(value)} ms` : String(value);
}

function suffixOf(statistic: string): string {
  return statistic.startsWith('p') ? ` (${statistic})` : '';
}

/** The alarms, those that are raised first. */
export function Alarms({ alarms }: { readonly alarms: readonly Alarm[] }) {
  const raised = alarms.filter(({ state }) => state === 'alarm');
  return (
    <>
      <p>
        {counted(alarms.length, 'alarm')}, {raised.length === 0 ? 'none raised' : `${raised.length} raised`}.
      </p>
      {raised.length > 0 && <AlarmList label="Raised alarms" alarms={raised} />}
      <details>
        <summary>All alarms</summary>
        <AlarmList label="All alarms" alarms={alarms} />
      </details>
    </>
  );
}

const states = {
  ok: { text: 'ok', tone: 'good' },
  alarm: { text: 'raised', tone: 'bad' },
  insufficient_data: { text: 'no data', tone: 'plain' },
} as const;

function AlarmList({ label, alarms }: { readonly label: string; readonly alarms: readonly Alarm[] }) {
  return (
    <List
      label={label}
      columns={[
        { heading: 'Alarm', cell: ({ name }) => <Text of={name} /> },
        {
          heading: 'State',
          cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].text}</Badge>,
        },
        { heading: 'Since', cell: ({ since }) => <Time of={since} /> },
        { heading: 'Meaning', cell: ({ description = '' }) => <Text of={description} /> },
      ]}
      rows={alarms}
    />
  );
}
