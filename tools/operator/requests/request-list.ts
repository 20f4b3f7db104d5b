import { isIP } from 'node:net';
import type { RequestLog } from '../../../contract/internal/request-log.ts';
import { foldersOf, routeKeysOf, routes } from '../../../contract/routes.ts';
import { getClient } from '../clients/client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { InvalidInput } from '../errors.ts';
import { type FilterValues, organisationFilter, timeFilter } from '../lists/filters.ts';
import type { EntityList, Page, PagePlace, PartSource } from '../lists/list.ts';
import { getStoredOrganisation } from '../organisations/organisation.ts';
import { quoted } from '../text.ts';
import { routeOf } from './facts.ts';
import { type ListedRequest, listedRequest, listedRequests } from './listed-request.ts';
import { type LogLine, type LogRange, type LogReader, linesWith, linesWithAny, openLogs } from './logs.ts';
import { newestLines, placeOf, timeOfPlace } from './newest-lines.ts';

/** Route of requests for a method and path that the API does not have. */
const unknownRoute = 'unknown';

/** Requests of the access log, with their clients from the logs of the functions. */
export const requestList: EntityList<ListedRequest> = {
  entity: listedRequests,
  about:
    'Requests appear some seconds after their response. A client is known if it got a token or an upload URL, and for most rejections.',
  example: '--stack file-sync-prod request list --since 1h --status 4xx',
  filters: [
    {
      name: 'status',
      label: 'Status',
      about: 'requests with this status, such as 404, or class of status, such as 4xx',
      placeholder: '<status>',
      parse: parseStatus,
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
      about: 'requests from this IP address',
      placeholder: '<ip>',
      parse: parseAddress,
    },
    {
      ...timeFilter('since', 'requested from', 'requests from this time on (default: 1h)'),
      defaultValue: '1h',
    },
    timeFilter('until', 'requested before', 'requests before this time'),
  ],
  source: async (deployment, values) => {
    const { client, organisation, since = '' } = values;
    const now = deployment.now();
    if (Date.parse(since) > now) {
      throw new InvalidInput(
        `The start of the list, ${since}, is in the future. Choose a time before ${new Date(now).toISOString()}.`,
      );
    }
    // For an unknown id, an empty list would wrongly suggest that there were no requests.
    await Promise.all([
      client === undefined ? undefined : getClient(deployment, client),
      organisation === undefined ? undefined : getStoredOrganisation(deployment, organisation),
    ]);
    return requestSource(deployment, values);
  },
};

function parseStatus(text: string): string {
  if (!/^[1-5](\d\d|xx)$/i.test(text)) {
    throw new InvalidInput(
      `${quoted(text)} is not a status: use a number from 100 to 599, or a class such as 4xx.`,
    );
  }
  return text.toLowerCase();
}

function parseAddress(text: string): string {
  if (isIP(text) === 0) {
    throw new InvalidInput(`${quoted(text)} is not an IP address, such as 192.0.2.1 or 2001:db8::1.`);
  }
  return text;
}

function requestSource(deployment: Deployment, values: FilterValues): PartSource<ListedRequest> {
  const { since = '', until, client, organisation } = values;
  const range = {
    from: Date.parse(since),
    to: until === undefined ? deployment.now() : Date.parse(until) - 1,
  };
  const search = client === undefined && organisation === undefined ? searchAccessLog : searchByClient;
  return {
    readPart: async (place) => readPart(search(await openLogs(deployment), values), range, place),
  };
}

/** Lines of a request. */
interface Row {
  readonly place: string;
  readonly access: LogLine;
  readonly ofFunction?: LogLine | undefined;
}

/** A way to find requests: the log of their times, and the reads of other logs. */
interface Search {
  readonly readRange: (range: LogRange) => ReturnType<LogReader>;
  /** Returns the requests of lines, newest first, without requests that the other filters exclude. */
  readonly rowsOf: (lines: readonly LogLine[]) => Promise<readonly Row[]>;
  /** Adds the lines of the functions, if they are missing. */
  readonly complete: (rows: readonly Row[]) => Promise<readonly Row[]>;
}

/** Finds requests in the access log. The functions' lines of the shown requests are read afterwards. */
function searchAccessLog(read: LogReader, values: FilterValues): Search {
  const { status, route, address: ip } = values;
  const members = { status: status?.replace('xx', '*'), route: route === unknownRoute ? '-' : route, ip };
  const pattern = linesWith(members);
  return {
    readRange: (range) => read('access', pattern, range),
    rowsOf: async (lines) => lines.map((access) => ({ place: placeOf(access), access })),
    complete: async (rows) => {
      const found = await Promise.all(
        clientLogs.map((log) => {
          const own = rows.filter(({ access }) => routeOf(access.members.route)?.servedBy === log);
          return linesOfRequests(
            read,
            log,
            own.map(({ access }) => access),
            pattern === undefined,
          );
        }),
      );
      const lines = new Map(found.flatMap((each) => [...each]));
      return rows.map((row) => ({ ...row, ofFunction: lines.get(requestOf(row.access)) }));
    },
  };
}

/** Finds requests in the logs of the functions, which alone contain the client, and then in the access log. */
function searchByClient(read: LogReader, values: FilterValues): Search {
  const { client, organisation, route, status, address } = values;
  const pattern = linesWith({ client_id: client, organisation_id: organisation });
  const logs = clientLogs.filter((log) => route === undefined || routeOf(route)?.servedBy === log);
  const isWanted = ({ members }: LogLine) =>
    (route === undefined || members.route === route) &&
    (status === undefined || String(members.status).startsWith(status.replace('xx', ''))) &&
    (address === undefined || members.ip === address);
  return {
    readRange: async function* (range) {
      for (const log of logs) {
        yield* read(log, pattern, range);
      }
    },
    rowsOf: async (lines) => {
      const found = await linesOfRequests(read, 'access', lines);
      return [...byRequest(lines).entries()].flatMap(([id, ofFunction]) => {
        const access = found.get(id);
        return access !== undefined && isWanted(access)
          ? [{ place: placeOf(ofFunction), access, ofFunction }]
          : [];
      });
    },
    complete: async (rows) => rows,
  };
}

/** Logs of the functions that know clients. */
const clientLogs = foldersOf(Object.values(routes).filter(({ needs }) => needs !== 'nothing'));

/** Number of ids in a pattern. A pattern has at most 1,024 characters (API reference, FilterLogEvents). */
const maxIds = 25;

/** Maximum difference between the times of a request in two logs, in milliseconds. */
const maxSkew = 60_000;

/**
 * Reads the lines of requests in another log.
 *
 * @param lines lines of the requests, newest first
 * @param isAll true if the requests are all requests of their time. One read then finds all lines
 */
async function linesOfRequests(
  read: LogReader,
  log: RequestLog,
  lines: readonly LogLine[],
  isAll = false,
): Promise<ReadonlyMap<string, LogLine>> {
  const found: LogLine[] = [];
  const size = isAll ? lines.length : maxIds;
  for (let start = 0; start < lines.length; start += size) {
    const group = lines.slice(start, start + size);
    const times = group.map(({ at }) => at);
    const range = { from: (times.at(-1) ?? 0) - maxSkew, to: (times[0] ?? 0) + maxSkew };
    const pattern = isAll ? linesWith({ request_id: '*' }) : linesWithAny('request_id', group.map(requestOf));
    for await (const page of read(log, pattern, range)) {
      found.push(...page.lines);
    }
  }
  return byRequest(found);
}

/** Merges the lines of each request. */
function byRequest(lines: readonly LogLine[]): ReadonlyMap<string, LogLine> {
  const merged = new Map<string, LogLine>();
  for (const line of lines) {
    const id = requestOf(line);
    merged.set(id, { ...line, members: { ...merged.get(id)?.members, ...line.members } });
  }
  return merged;
}

function requestOf({ members }: LogLine): string {
  return String(members.request_id);
}

/** Maximum number of log pages for a part of a list, at ten a second. A page contains up to 1 MB: 3,000 requests. */
const maxPages = 1000;

/** Reads the next requests of a search, newest first. */
async function readPart(
  { readRange, rowsOf, complete }: Search,
  { from, to }: LogRange,
  { after, limit, isTimeUp, progress }: PagePlace,
): Promise<Page<ListedRequest>> {
  const last = after === undefined ? to : Math.min(to, timeOfPlace(after));
  const found: Row[] = [];
  let pages = 0;
  let page: Omit<Page<ListedRequest>, 'entries' | 'read'> = { next: undefined, isCutShort: false };
  for await (const { lines, searchedTo } of newestLines(readRange, { from, to: last }, limit + 1)) {
    const left = lines.filter((line) => after === undefined || placeOf(line) < after);
    found.push(...(await rowsOf(left)));
    progress?.(found.length);
    pages += 1;
    if (found.length > limit) {
      page = { next: found[limit - 1]?.place, isCutShort: false };
      break;
    }
    if (searchedTo > from && (pages > maxPages || isTimeUp?.(found.length))) {
      const time = new Date(searchedTo).toISOString();
      page = { next: `${searchedTo}~`, isCutShort: true, searchedTo: time };
      break;
    }
  }
  const rows = await complete(found.slice(0, limit));
  const entries = rows.map(({ access, ofFunction }) => listedRequest(access, ofFunction));
  return { ...page, entries, read: found.length };
}
