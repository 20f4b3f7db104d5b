import type { Activity } from '../../../operator/requests/activity.ts';
import type { ActivityMetric } from '../../../operator/requests/activity-series.ts';
import { counted, formatBytes } from '../../../operator/text.ts';
import { type Bucket, Plot } from '../../components/plot.tsx';

/** The activity: requests, refusals, uploads and bytes. */
export function ActivityOf({ activity }: { readonly activity: Activity }) {
  const of = (metric: ActivityMetric) => activity.series.find((series) => series.metric === metric)?.total;
  const total = (metric: ActivityMetric) => of(metric) ?? 0;
  const answered = total('TokensIssued') + total('SyncsIssued');
  const refused = total('TokensRefused') + total('SyncsRefused');
  const uploads = total('UploadsCompleted');
  const slowest = of('Latency');
  const plotOf = (
    title: string,
    description: string,
    parts: readonly (readonly ActivityMetric[])[],
    format = plain,
  ) => (
    <Plot
      title={title}
      description={description}
      buckets={bucketsOf(activity, parts)}
      until={activity.until}
      format={format}
    />
  );
  return (
    <>
      <div class="row">
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
      <div class="row">
        {plotOf('Requests', `${plain(answered)} answered, ${plain(refused)} refused`, [
          ['TokensIssued', 'SyncsIssued'],
          ['TokensRefused', 'SyncsRefused'],
        ])}
        {plotOf('Uploads', `${plain(uploads)} in all`, [['UploadsCompleted']])}
        {plotOf('Bytes', `${formatBytes(total('UploadBytes'))} in all`, [['UploadBytes']], formatBytes)}
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

/** A bar for each time. @param parts for each part of a bar, the metrics that are added up */
function bucketsOf(
  { times, series }: Activity,
  parts: readonly (readonly ActivityMetric[])[],
): readonly Bucket[] {
  return times.map((from, index) => ({
    from,
    values: parts.map((metrics) =>
      series
        .filter(({ metric }) => metrics.includes(metric))
        .reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
    ),
  }));
}

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

function plain(value: number): string {
  return whole.format(value);
}

/** A share in percent, rounded down: only a complete share is 100 %. */
function share(part: number, all: number): string {
  return `${Math.floor((part / all) * 1000) / 10} %`;
}
