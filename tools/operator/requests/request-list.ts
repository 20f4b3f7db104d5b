import { isIP } from 'node:net';
import { foldersOf, routeKeysOf, routes } from '../../../contract/routes.ts';
import { getClient } from '../clients/client.ts';
import { InvalidInput } from '../errors.ts';
import { type FilterValues, organisationFilter, timeFilter } from '../lists/filters.ts';
import { invalidPlace } from '../lists/index-items.ts';
import type { EntityList, Page, PagePlace } from '../lists/list.ts';
import { getStoredOrganisation } from '../organisations/organisation.ts';
import { requests } from './fields.ts';
import {
  type LogLine,
  type LogRange,
  type LogReader,
  linesOf,
  linesWith,
  openLogs,
  windowsOf,
} from './logs.ts';
import { describeRequest, type RequestTimeline } from './timeline.ts';

/** Route of requests for a method and path that the API does not have. */
const unknownRoute = 'unknown';

/** Requests of the access log, with their clients from the logs of the functions. */
export const requestList: EntityList<RequestTimeline> = {
  entity: requests,
  about:
    'Requests appear some seconds after their response. A client is known if it got a token or an upload URL, and for most rejections.',
  example: '--stack file-sync-prod request list --since 1h --status 4xx',
  filters: [
    {
      name: 'status',
      label: 'Status',
      about: 'requests with this status, such as 404, or class of status, such as 4xx',
      placeholder: '<status>',
      allows: (text) => /^[1-5](\d\d|xx)$/.test(text),
    },
    {
      name: 'route',
      label: 'Route',
      about: 'requests of this route',
      placeholder: '<route>',
      choices: [...Object.values(routes).flatMap(routeKeysOf), unknownRoute],
    },
    { name: 'client', label: 'Client ID', about: 'requests that the log ascribes to this client' },
    { ...organisationFilter, about: 'requests that the log ascribes to this organisation' },
    {
      name: 'address',
      label: 'Address',
      about: 'requests from this IP address, such as 192.0.2.1 or 2001:db8::1',
      placeholder: '<ip>',
      allows: (text) => isIP(text) > 0,
    },
    {
      ...timeFilter('since', 'requested from', 'requests from this time on (default: 1h)'),
      defaultValue: '1h',
    },
    timeFilter('until', 'requested before', 'requests before this time'),
  ],
  source: async (deployment, values) => {
    const { client, organisation, since = '', until } = values;
    const now = deployment.now();
    const range = { from: Date.parse(since), to: until === undefined ? now : Date.parse(until) - 1 };
    if (range.from > now) {
      throw new InvalidInput(`The start of the list, ${since}, is in the future. Choose an earlier time.`);
    }
    // For an unknown id, an empty list would wrongly suggest that there were no requests.
    await Promise.all([
      client && getClient(deployment, client),
      organisation && getStoredOrganisation(deployment, organisation),
    ]);
    return {
      readPart: async (place) => readPart(searchIn(await openLogs(deployment), values), range, place),
    };
  },
};

/** A request of a list, with its place. */
interface Row {
  readonly place: string;
  readonly request: RequestTimeline;
}

const accessLog = ['access'] as const;

/** Logs of the functions that know clients. */
const clientLogs = foldersOf(Object.values(routes).filter(({ needs }) => needs !== 'nothing'));

/** Maximum difference between the times of a request in two logs, in milliseconds. */
const maxSkew = 60_000;

/**
 * Returns the two steps of a search. The access log does not contain clients. So for a client or an organisation,
 * the first step reads the logs of the functions, and the second adds the access log. All other searches begin with
 * the access log.
 */
function searchIn(read: LogReader, { status, route, address: ip, client, organisation }: FilterValues) {
  const ofAccess = {
    request_id: '*',
    status: status?.replace('xx', '*'),
    route: route === unknownRoute ? '-' : route,
    ip,
  };
  const isOfClient = Boolean(client || organisation);
  const ofFirst = isOfClient ? { client_id: client, organisation_id: organisation } : ofAccess;
  const [first, second] = isOfClient ? [clientLogs, accessLog] : [accessLog, clientLogs];
  const isWanted = ({ members }: LogLine) =>
    (status === undefined || `${members.status}`.startsWith(status.replace('xx', ''))) &&
    (route === undefined || (members.route ?? unknownRoute) === route) &&
    (ip === undefined || members.ip === ip);
  return {
    readFirst: (range: LogRange) => read(first, linesWith(ofFirst), range),
    /** Adds the other lines of each request. Leaves requests out that the filters exclude. */
    complete: async (lines: readonly LogLine[]): Promise<readonly Row[]> => {
      const times = lines.map(({ at }) => at);
      const range = { from: Math.min(...times) - maxSkew, to: Math.max(...times) + maxSkew };
      const others = new Map<string, LogLine>();
      for await (const page of read(
        second,
        linesOf(
          'request_id',
          lines.map(({ id }) => id),
        ),
        range,
      )) {
        page.lines.map((other) => others.set(other.id, other));
      }
      return lines.flatMap((line) => {
        const other = others.get(line.id);
        const [access, ofFunction] = isOfClient ? [other, line] : [line, other];
        return access && isWanted(access)
          ? { place: placeOf(line), request: describeRequest(access, ofFunction) }
          : [];
      });
    },
  };
}

/** Length of the first window of a part, in milliseconds. */
const firstLength = 10_000;

/** Number of requests to complete in one step. A pattern has at most 1,024 characters (API, FilterLogEvents). */
const batchSize = 25;

/** Yields the requests of a search, newest first, although CloudWatch returns the oldest of each window first. */
async function* stepsOf(
  { readFirst, complete }: ReturnType<typeof searchIn>,
  from: number,
  after: string,
): AsyncGenerator<{ readonly rows: readonly Row[]; readonly place: string }> {
  for (const window of windowsOf({ from, to: timeOf(after) }, firstLength)) {
    const lines = new Map<string, LogLine>();
    for await (const page of readFirst(window)) {
      page.lines.map((line) => lines.set(line.id, line));
      yield { rows: [], place: `${window.to + 1}~` };
    }
    const left = [...lines.values()]
      .filter((line) => placeOf(line) < after)
      .sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
    for (let start = 0; start < left.length; start += batchSize) {
      const batch = left.slice(start, start + batchSize);
      yield { rows: await complete(batch), place: batch.map(placeOf).at(-1) ?? after };
    }
  }
}

/** Reads the next requests of a search. */
async function readPart(
  search: ReturnType<typeof searchIn>,
  { from, to }: LogRange,
  { after = `${to + 1}~`, limit, isTimeUp, progress }: PagePlace,
): Promise<Page<RequestTimeline>> {
  const found: Row[] = [];
  const partTo = (next?: string, searchedTo?: string) => {
    const entries = found.slice(0, limit).map(({ request }) => request);
    return { entries, next, searchedTo, isCutShort: searchedTo !== undefined, read: found.length };
  };
  for await (const { rows, place } of stepsOf(search, from, after)) {
    found.push(...rows);
    progress?.(found.length);
    if (found.length > limit) {
      return partTo(found[limit - 1]?.place);
    }
    if (isTimeUp?.(found.length)) {
      return partTo(place, new Date(timeOf(place)).toISOString());
    }
  }
  return partTo();
}

/** Returns the place of a line in a list, with its time. Later places are greater texts. */
function placeOf({ at, id }: LogLine): string {
  return `${at}~${id}`;
}

/** @throws {OperationError} when the text is not a place */
function timeOf(place: string): number {
  const time = Number.parseInt(place, 10);
  if (Number.isNaN(time)) {
    throw invalidPlace();
  }
  return time;
}
