import { useRequestContext } from 'hono/jsx-renderer';
import { sumOf } from '../../../operator/deployment/metrics.ts';
import {
  type Activity,
  type ActivityMetric,
  activityMetrics,
  type ShownMetric,
} from '../../../operator/requests/activity.ts';
import { formatBytes, formatCount, formatSeconds } from '../../../operator/text.ts';
import { List } from '../../components/list.tsx';
import { withQuery } from '../../http/addresses.ts';
import type { Env } from '../../http/environment.ts';

/** Metrics of each chart, by its title. The first has bars, the others have lines. */
const charts: Readonly<Record<string, readonly ActivityMetric[]>> = {
  'Requests by status': ['succeeded', 'rejected', 'failed'],
  'Invocations by route': ['token', 'sync', 'volumes', 'documents'],
  'Duration of requests': ['p95'],
  Uploads: ['urls', 'completed', 'expired', 'tokens'],
  'Bytes of uploads': ['bytes'],
};

const metricNames = Object.values(charts).flat();

/** The activity: charts of requests, uploads and bytes, and their numbers as a table. */
export function ActivityOf({ activity, asOf }: { readonly activity: Activity; readonly asOf: number }) {
  const { clock } = useRequestContext<Env>().var;
  const { since, until, period } = activity;
  const range = addressOf(since, until);
  const metrics = Object.fromEntries(
    metricNames.map((name) => [name, { ...activityMetrics[name], total: totalOf(name, activity) }]),
  );
  return (
    <>
      <p class="row">
        <span class="muted">
          As of {clock.exact(asOf).slice(11, 16)}, a value for each{' '}
          {formatSeconds(period / 1000).replace(/ 00 .*/, '')}
        </span>
        <a href={withQuery('/requests', range)}>Requests of this time</a>
        <a href={withQuery('/requests/count', range)}>Requests by client</a>
      </p>
      <div class="charts" data-activity={JSON.stringify({ ...activity, zone: clock.zone, metrics })}>
        {Object.entries(charts).map(([title, shown]) => (
          <figure class="card" aria-label={title} data-metrics={shown.join(' ')}>
            <figcaption>
              <h2>{title}</h2>
              <span class="muted">
                {shown
                  .map((metric) => `${activityMetrics[metric].label}: ${totalOf(metric, activity)}`)
                  .join('; ')}
              </span>
            </figcaption>
          </figure>
        ))}
      </div>
      <Numbers activity={activity} />
    </>
  );
}

/** Returns the sum of counts, or the highest percentile. */
function totalOf(metric: ActivityMetric, { values }: Activity): string {
  const all = values[metric];
  return metric === 'p95' ? `at most ${textOf(metric, Math.max(...all))}` : textOf(metric, sumOf(all));
}

function textOf(metric: ActivityMetric, value: number): string {
  const { unit }: ShownMetric = activityMetrics[metric];
  return unit === 'bytes' ? formatBytes(value) : `${formatCount(Math.round(value))} ${unit ?? ''}`.trim();
}

/** The numbers of the charts. The time of a row leads to its requests. */
function Numbers({ activity: { since, period, values } }: { readonly activity: Activity }) {
  const { clock } = useRequestContext<Env>().var;
  const timeOf = (index: number) => {
    const at = since + index * period;
    return <a href={withQuery('/requests', addressOf(at, at + period))}>{clock.exact(at).slice(0, -3)}</a>;
  };
  return (
    <details>
      <summary>Numbers of the charts</summary>
      <List
        label="Numbers of the charts"
        columns={[
          { heading: 'From', cell: timeOf },
          ...metricNames.map((metric) => ({
            heading: activityMetrics[metric].label,
            class: 'right',
            cell: (index: number) => textOf(metric, values[metric][index] ?? 0),
          })),
        ]}
        rows={[...values.succeeded.keys()]}
      />
    </details>
  );
}

function addressOf(since: number, until: number) {
  return { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
}
