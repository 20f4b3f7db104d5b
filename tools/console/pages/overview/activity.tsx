import type { Activity, ActivitySeries } from '../../../operator/requests/activity.ts';
import type { ActivityMetric } from '../../../operator/requests/activity-series.ts';
import { counted, formatBytes } from '../../../operator/text.ts';
import { type Bucket, Plot } from '../../components/plot.tsx';

/** What happened: how much of it went well, and how much arrived. */
export function ActivityOf({ activity }: { readonly activity: Activity }) {
  const of = (metric: ActivityMetric) => activity.series.find((series) => series.metric === metric);
  const total = (metric: ActivityMetric) => of(metric)?.total ?? 0;
  const answered = total('TokensIssued') + total('SyncsIssued');
  const refused = total('TokensRefused') + total('SyncsRefused');
  const uploads = total('UploadsCompleted');
  const slowest = of('Latency')?.total;
  const shown = shownTime(activity);
  const bars = (...groups: readonly (readonly ActivityMetric[])[]) =>
    bucketsOf(
      groups.map((metrics) => metrics.map((metric) => of(metric)?.values ?? [])),
      shown,
    );
  const plotOf = (title: string, description: string, buckets: readonly Bucket[], format = plain) => (
    <Plot title={title} description={description} buckets={buckets} until={shown.until} format={format} />
  );
  return (
    <>
      <div class="columns">
        <Figure
          name="Token and URL requests"
          value={answered + refused === 0 ? '–' : share(answered, answered + refused)}
          about={`answered, ${plain(refused)} of ${plain(answered + refused)} refused`}
        />
        <Figure
          name="Uploads"
          value={plain(uploads)}
          about={`of ${counted(total('SyncsIssued'), 'URL')}, ${plain(total('UploadsExpired'))} expired unused`}
        />
        <Figure
          name="Bytes"
          value={formatBytes(total('UploadBytes'))}
          about={
            uploads === 0 ? 'nothing arrived' : `${formatBytes(total('UploadBytes') / uploads)} on average`
          }
        />
        <Figure
          name="Time to the answer"
          value={slowest == null ? '–' : `${plain(slowest)} ms`}
          about="for 99 of 100 requests"
        />
      </div>
      <div class="columns wide">
        {plotOf(
          'Requests',
          `${plain(answered)} answered, ${plain(refused)} refused`,
          bars(['TokensIssued', 'SyncsIssued'], ['TokensRefused', 'SyncsRefused']),
        )}
        {plotOf('Uploads', `${plain(uploads)} in all`, bars(['UploadsCompleted']))}
        {plotOf('Bytes', `${formatBytes(total('UploadBytes'))} in all`, bars(['UploadBytes']), formatBytes)}
      </div>
    </>
  );
}

function Figure(props: { readonly name: string; readonly value: string; readonly about: string }) {
  return (
    <p class="card figure">
      <span>
        <span class="muted">{props.name}</span>
        <b>{props.value}</b>
        <span class="muted">{props.about}</span>
      </span>
    </p>
  );
}

/** The stretch of time that the plots share: it begins where the data begins, and is cut into equal parts. */
interface ShownTime {
  readonly times: readonly number[];
  /** Index of the first value that is shown. */
  readonly first: number;
  /** So many values make one bar. */
  readonly step: number;
  readonly until: number;
}

/** Fewer would be broad blocks, and more would be too thin. */
const [fewest, most] = [12, 40] as const;

function shownTime({ times, until, series }: Activity): ShownTime {
  const begin = times.findIndex((_, index) =>
    series.some(({ statistic, values }) => statistic === 'Sum' && values[index]),
  );
  const count = Math.max(fewest, times.length - (begin === -1 ? 0 : begin));
  const step = [1, 2, 3, 6, 12, 24].find((each) => count / each <= most) ?? 24;
  const bars = Math.ceil(Math.min(count, times.length) / step);
  return {
    times,
    first: Math.max(0, times.length - bars * step),
    step,
    until,
  };
}

/** Adds up the metrics of each part. @param parts for each part, the values of its metrics */
function bucketsOf(
  parts: readonly (readonly ActivitySeries['values'][])[],
  { times, first, step }: ShownTime,
): readonly Bucket[] {
  const sum = (values: ActivitySeries['values'], from: number) =>
    values.slice(from, from + step).reduce<number>((total, value) => total + (value ?? 0), 0);
  return Array.from({ length: Math.ceil((times.length - first) / step) }, (_, index) => {
    const from = first + index * step;
    return {
      from: times[from] ?? 0,
      values: parts.map((metrics) => metrics.reduce((total, values) => total + sum(values, from), 0)),
    };
  });
}

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

function plain(value: number): string {
  return whole.format(value);
}

/** Rounded down: only if nothing is missing, it is 100 %. */
function share(part: number, all: number): string {
  return `${Math.floor((part / all) * 1000) / 10} %`;
}
