import type { Activity, ActivityMetric } from '../../../operator/requests/activity.ts';
import { counted, formatBytes } from '../../../operator/text.ts';
import { Plot } from '../../components/plot.tsx';

/** The activity: requests and refusals, uploads and bytes. */
export function ActivityOf({ activity }: { readonly activity: Activity }) {
  const total = (metric: ActivityMetric) => sum(activity, metric).reduce((all, value) => all + value, 0);
  const answered = total('TokensIssued') + total('SyncsIssued');
  const uploads = total('UploadsCompleted');
  const bytes = total('UploadBytes');
  return (
    <div class="row">
      <Figure
        activity={activity}
        name="Token and URL requests"
        value={plain(answered)}
        about={`answered, ${plain(total('TokensRefused') + total('SyncsRefused'))} refused`}
        series={{
          refused: ['TokensIssued', 'SyncsIssued', 'TokensRefused', 'SyncsRefused'],
          answered: ['TokensIssued', 'SyncsIssued'],
        }}
      />
      <Figure
        activity={activity}
        name="Uploads"
        value={plain(uploads)}
        about={`of ${counted(total('SyncsIssued'), 'URL')}, ${plain(total('UploadsExpired'))} expired unused`}
        series={{ answered: ['UploadsCompleted'] }}
      />
      <Figure
        activity={activity}
        name="Bytes"
        value={formatBytes(bytes)}
        about={uploads === 0 ? 'nothing arrived' : `${formatBytes(bytes / uploads)} on average`}
        series={{ answered: ['UploadBytes'] }}
        format={formatBytes}
      />
    </div>
  );
}

interface FigureProps {
  readonly activity: Activity;
  readonly name: string;
  readonly value: string;
  readonly about: string;
  /** The metrics that each series adds up. */
  readonly series: Readonly<Record<string, readonly ActivityMetric[]>>;
  readonly format?: (value: number) => string;
}

/** A number, and how it came about over time. */
function Figure({ activity, name, value, about, series, format = plain }: FigureProps) {
  return (
    <div class="card figure">
      <p>
        <span class="muted">{name}</span>
        <b>{value}</b>
        <span class="muted">{about}</span>
      </p>
      <Plot
        description={`${name}: ${value} ${about}`}
        times={activity.times}
        series={Object.entries(series).map(([name, metrics]) => ({
          name,
          values: sum(activity, ...metrics),
        }))}
        format={format}
      />
    </div>
  );
}

/** Adds metrics up, at each time. */
function sum({ times, series }: Activity, ...metrics: readonly ActivityMetric[]): readonly number[] {
  const added = series.filter(({ metric }) => metrics.includes(metric));
  return times.map((_, index) => added.reduce((all, { values }) => all + (values[index] ?? 0), 0));
}

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

function plain(value: number): string {
  return whole.format(value);
}
