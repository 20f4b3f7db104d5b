import { useRequestContext } from 'hono/jsx-renderer';
import { routeKey, routes } from '../../../../contract/routes.ts';
import { type Activity, sumOf } from '../../../operator/requests/activity.ts';
import { formatBytes } from '../../../operator/text.ts';
import { Chart, textOf } from '../../components/chart.tsx';
import { withQuery } from '../../http/addresses.ts';
import type { Env } from '../../http/environment.ts';

/** Columns of the table of numbers. A chart shows some of them. */
const columns = {
  succeeded: '2xx succeeded',
  rejected: '4xx rejected',
  failed: '5xx failed',
  p95: 'p95 of the durations, ms',
  token: routeKey(routes.token),
  sync: routeKey(routes.sync),
  volumes: routeKey(routes.volumes),
  documents: 'public documents',
  tokens: 'tokens issued',
  urls: 'upload URLs issued',
  completed: 'uploads completed',
  expired: 'URLs expired unused',
  bytes: 'bytes of uploads',
} as const;

type Column = keyof typeof columns;

type Values = Readonly<Record<Column, readonly (number | undefined)[]>>;

const columnNames = Object.keys(columns) as readonly Column[];

/** The activity: charts of requests, uploads and bytes, and their numbers as a table. */
export function ActivityOf({ activity, asOf }: { readonly activity: Activity; readonly asOf: number }) {
  const { clock } = useRequestContext<Env>().var;
  const { requests, ...read } = activity.values;
  const succeeded = requests.map(
    (count = 0, at) => count - (read.rejected[at] ?? 0) - (read.failed[at] ?? 0),
  );
  const values: Values = { ...read, succeeded };
  const series = (...names: readonly Column[]) =>
    names.map((name) => ({
      label: columns[name],
      column: columnNames.indexOf(name) + 1,
      values: values[name],
    }));
  const total = (...names: readonly Column[]) => sumOf(names.map((name) => sumOf(values[name])));
  const totalText = (...names: readonly Column[]) => textOf(total(...names), 'count');
  const all = sumOf(requests);
  const share = (name: Column) => `${totalText(name)} (${((100 * total(name)) / (all || 1)).toFixed(1)} %)`;
  const uploads = total('completed');
  const { since, until } = addressOf(activity.range.since, activity.range.until);
  return (
    <>
      <p class="row">
        <span class="muted">
          As of {clock.exact(asOf).slice(11, 16)}, a value for every {lengthOf(activity.periodSeconds)}
        </span>
        <a href={withQuery('/requests', { since, until })}>Requests of this time</a>
        <a href={withQuery('/rejections', { since })}>Rejections by client</a>
        <a href={withQuery('/usage', { since })}>Successful requests by client</a>
      </p>
      <div class="charts">
        <Chart
          title="Requests by status"
          value={textOf(all, 'count')}
          about={`${share('rejected')} rejected, ${share('failed')} failed`}
          kind="bars"
          unit="count"
          series={series('succeeded', 'rejected', 'failed')}
        />
        <Chart
          title="Requests by route"
          value={totalText('token', 'sync', 'volumes', 'documents')}
          about="reached a function; API Gateway rejected the others"
          kind="lines"
          unit="count"
          series={series('token', 'sync', 'volumes', 'documents')}
        />
        <Chart
          title="Duration of 95 in 100 requests"
          value={textOf(Math.max(0, ...read.p95.map((value = 0) => value)), 'ms')}
          about="or less, in the slowest period"
          kind="bars"
          unit="ms"
          series={series('p95')}
        />
        <Chart
          title="Uploads"
          value={totalText('completed')}
          about={`of ${totalText('urls')} URLs, ${totalText('expired')} expired unused`}
          kind="lines"
          unit="count"
          series={series('tokens', 'urls', 'completed', 'expired')}
        />
        <Chart
          title="Bytes"
          value={formatBytes(total('bytes'))}
          about={uploads === 0 ? 'no content arrived' : `${formatBytes(total('bytes') / uploads)} on average`}
          kind="bars"
          unit="bytes"
          series={series('bytes')}
        />
      </div>
      <Numbers activity={activity} values={values} />
    </>
  );
}

interface NumbersProps {
  readonly activity: Activity;
  readonly values: Values;
}

/** The numbers of the charts. The time of a row leads to its requests. The script reads this table. */
function Numbers({ activity: { range, periodSeconds }, values }: NumbersProps) {
  const { clock } = useRequestContext<Env>().var;
  return (
    <details>
      <summary>Numbers of the charts</summary>
      <section class="scroll numbers" aria-label="Numbers of the charts" tabindex={0}>
        <table data-period={periodSeconds}>
          <thead>
            <tr>
              <th scope="col">From</th>
              {columnNames.map((name) => (
                <th scope="col">{columns[name]}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {values.succeeded.map((_, index) => {
              const at = range.since + index * periodSeconds * 1000;
              const address = addressOf(at, at + periodSeconds * 1000);
              return (
                <tr>
                  <th scope="row">
                    <a href={withQuery('/requests', address)}>
                      <time datetime={address.since}>{clock.exact(at).slice(0, -3)}</time>
                    </a>
                  </th>
                  {columnNames.map((name) => (
                    <td>{cellOf(name, values[name][index])}</td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </details>
  );
}

/** Returns the text of a cell. A duration without requests is unknown. */
function cellOf(name: Column, value: number | undefined): number | string {
  return name === 'p95' && value === undefined ? '' : Math.round(value ?? 0);
}

function addressOf(since: number, until: number) {
  return { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
}

function lengthOf(seconds: number): string {
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
}
