import { useRequestContext } from 'hono/jsx-renderer';
import { routeKey, routes } from '../../../../contract/routes.ts';
import { type Activity, type ActivityMetric, totalOf } from '../../../operator/requests/activity.ts';
import { formatBytes } from '../../../operator/text.ts';
import { Chart, type Series } from '../../components/chart.tsx';
import { withQuery } from '../../http/addresses.ts';
import type { Env } from '../../http/environment.ts';

type Values = readonly (number | undefined)[];

/** Columns of the table of numbers. A chart shows some of them. */
const columns = {
  succeeded: '2xx succeeded',
  rejected: '4xx rejected',
  failed: '5xx failed',
  p95: '95 of 100 requests within, ms',
  token: routeKey(routes.token),
  sync: routeKey(routes.sync),
  volumes: routeKey(routes.volumes),
  documents: 'public documents',
  tokens: 'tokens issued',
  urls: 'upload URLs issued',
  completed: 'uploads completed',
  expired: 'URLs expired unused',
  bytes: 'bytes',
} as const;

type Column = keyof typeof columns;

const columnNames = Object.keys(columns) as readonly Column[];

/** The activity: charts of requests, uploads and bytes, and their numbers as a table. */
export function ActivityOf({ activity, asOf }: { readonly activity: Activity; readonly asOf: number }) {
  const { clock } = useRequestContext<Env>().var;
  const { values, range, periodSeconds } = activity;
  const total = (metric: ActivityMetric) => totalOf(activity, metric);
  const all: Readonly<Record<Column, Values>> = {
    ...values,
    succeeded: values.requests.map(
      (count = 0, at) => count - (values.rejected[at] ?? 0) - (values.failed[at] ?? 0),
    ),
  };
  const [requests, rejected, failed] = [total('requests'), total('rejected'), total('failed')];
  const totals: Readonly<Partial<Record<Column, number>>> = {
    succeeded: requests - rejected - failed,
    rejected,
    failed,
    ...Object.fromEntries(columnNames.slice(4).map((name) => [name, total(name as ActivityMetric)])),
  };
  const series = (...names: readonly Column[]): readonly Series[] =>
    names.map((name) => ({
      label: columns[name],
      column: columnNames.indexOf(name) + 1,
      total: totals[name] === undefined ? '' : plain(totals[name]),
    }));
  const highest = (...names: readonly Column[]) =>
    values.requests.map((_, at) => Math.max(...names.map((name) => all[name][at] ?? 0)));
  const [uploads, bytes] = [total('completed'), total('bytes')];
  const slowest = Math.max(0, ...values.p95.map((value = 0) => value));
  const between = { since: iso(range.since), until: iso(range.until) };
  return (
    <>
      <p class="row">
        <span class="muted">
          As of {clock.exact(asOf).slice(11, 16)}, a value for every {lengthOf(periodSeconds)}
        </span>
        <a href={withQuery('/requests', between)}>Requests of this time</a>
        <a href={withQuery('/rejections', { since: between.since })}>Rejections by client</a>
        <a href={withQuery('/usage', { since: between.since })}>Successful requests by client</a>
      </p>
      <div class="charts">
        <Chart
          title="Requests by status"
          value={plain(requests)}
          about={`${shareOf(rejected, requests)} rejected, ${shareOf(failed, requests)} failed.`}
          kind="bars"
          unit="count"
          series={series('succeeded', 'rejected', 'failed')}
          heights={values.requests.map((count = 0) => count)}
        />
        <Chart
          title="Requests by route"
          value={plain(total('token') + total('sync') + total('volumes') + total('documents'))}
          about="reached a function. API Gateway rejected the others."
          kind="lines"
          unit="count"
          series={series('token', 'sync', 'volumes', 'documents')}
          heights={highest('token', 'sync', 'volumes', 'documents')}
        />
        <Chart
          title="Duration"
          value={`${plain(Math.round(slowest))} ms`}
          about="in the slowest period. 95 of 100 requests are faster than the bar."
          kind="bars"
          unit="ms"
          series={[{ label: 'p95 of the requests of a period', column: columnNames.indexOf('p95') + 1 }]}
          heights={highest('p95')}
        />
        <Chart
          title="Uploads"
          value={plain(uploads)}
          about={`of ${plain(total('urls'))} URLs, ${plain(total('expired'))} expired unused.`}
          kind="lines"
          unit="count"
          series={series('tokens', 'urls', 'completed', 'expired')}
          heights={highest('tokens', 'urls', 'completed', 'expired')}
        />
        <Chart
          title="Bytes"
          value={formatBytes(bytes)}
          about={uploads === 0 ? 'No content arrived.' : `${formatBytes(bytes / uploads)} on average.`}
          kind="bars"
          unit="bytes"
          series={[
            {
              label: 'completed uploads',
              column: columnNames.indexOf('bytes') + 1,
              total: formatBytes(bytes),
            },
          ]}
          heights={highest('bytes')}
        />
      </div>
      <Numbers activity={activity} all={all} />
    </>
  );
}

interface NumbersProps {
  readonly activity: Activity;
  readonly all: Readonly<Record<Column, Values>>;
}

/** The numbers of the charts. The time of a row leads to its requests. The script reads this table. */
function Numbers({ activity: { range, periodSeconds }, all }: NumbersProps) {
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
                <th scope="col" class="right">
                  {columns[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {all.succeeded.map((_, index) => {
              const at = range.since + index * periodSeconds * 1000;
              const between = { since: iso(at), until: iso(at + periodSeconds * 1000) };
              return (
                <tr>
                  <th scope="row">
                    <a href={withQuery('/requests', between)}>
                      <time datetime={between.since}>{clock.exact(at).slice(0, -3)}</time>
                    </a>
                  </th>
                  {columnNames.map((name) => (
                    <td class="right">{cellOf(name, all[name][index])}</td>
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

function shareOf(part: number, whole: number): string {
  return part === 0 ? '0' : `${plain(part)} (${((100 * part) / whole).toFixed(1)} %)`;
}

function lengthOf(seconds: number): string {
  const [length, unit] =
    seconds < 3600
      ? [seconds / 60, 'minute']
      : seconds < 86_400
        ? [seconds / 3600, 'hour']
        : [seconds / 86_400, 'day'];
  return length === 1 ? unit : `${length} ${unit}s`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function plain(value: number): string {
  return value.toLocaleString('en-GB');
}
