import type { Activity, ActivitySeries } from '../../../operator/activity.ts';
import { counted, formatBytes } from '../../../operator/text.ts';
import { List } from '../../components/list.tsx';
import { Plot } from '../../components/plot.tsx';
import { Text } from '../../components/text.tsx';

/** The counts that are drawn. */
const drawn = [
  'TokensIssued',
  'TokensRefused',
  'SyncsIssued',
  'SyncsRefused',
  'UploadsCompleted',
  'UploadBytes',
];

/** Tokens, syncs and uploads over time, and refusals by reason. */
export function ActivityPlots({ activity }: { readonly activity: Activity }) {
  const shown = activity.series.filter(
    ({ metric, reason }) => reason === undefined && drawn.includes(metric),
  );
  const refusals = activity.series.filter(({ reason, total }) => reason !== undefined && (total ?? 0) > 0);
  return (
    <>
      <div class="columns">
        {shown.map((series) => (
          <SeriesPlot series={series} activity={activity} />
        ))}
      </div>
      <h2>Refusals by reason</h2>
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
  return unit === 'Bytes' ? formatBytes(value) : String(value);
}
