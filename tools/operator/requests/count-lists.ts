import type { Deployment } from '../deployment/deployment.ts';
import { describe } from '../description/entity.ts';
import { count, id, opaque, text, time } from '../description/field.ts';
import { type DescribedList, organisationFilter, timeFilter } from '../lists/described-list.ts';
import type { Pages, ReadProgress } from '../lists/list.ts';
import { parseTime } from '../parse-input.ts';
import { type CountedRequests, countRequests, type RequestCount } from './count-requests.ts';

/** Fields of a count of requests in tables and CSV. */
const requestCounts = describe<RequestCount>()({
  noun: 'client',
  called: 'row',
  fields: {
    client_id: id('Client', { of: 'client' }),
    outcome: text('Outcome'),
    count: count('Requests'),
    last_at: time('Last'),
    last_ip: opaque('Last address'),
    last_request_id: id('Last request', { of: 'request' }),
    organisation_id: id('Organisation', { of: 'organisation' }),
  },
  listed: ['client_id', 'outcome', 'count', 'last_at', 'last_ip', 'last_request_id', 'organisation_id'],
  csv: ['client_id', 'organisation_id', 'outcome', 'count', 'last_at', 'last_ip', 'last_request_id'],
});

/** Default of `since`. */
const defaultValue = '24h';

/** Rejected requests, by client and reason. */
export const rejections = countList(
  'rejections',
  'Rejected requests, by client and reason. Requests of unknown clients are counted together, one row for each reason.',
);

/** Requests that got a token or an upload URL, by client. */
export const usage = countList('usage', 'Access tokens and upload URLs that were issued, by client.');

function countList(verb: CountedRequests, about: string): DescribedList<RequestCount> {
  return {
    entity: requestCounts,
    verb,
    about,
    example: `--stack file-sync-prod client ${verb} --since 7d`,
    filters: [
      organisationFilter,
      {
        ...timeFilter('since', 'from', `requests from this time on (default: ${defaultValue})`, 'requested'),
        defaultValue,
      },
    ],
    narrow: ({ since = defaultValue, organisation }, called) => {
      const sinceAt = parseTime(since, called('since'));
      const read = async (deployment: Deployment, progress: ReadProgress) => {
        const until = deployment.now();
        const range = { since: new Date(sinceAt(until)), until: new Date(until) };
        const page = await countRequests(deployment, verb, range, progress);
        const isWanted = (row: RequestCount) =>
          organisation === undefined || row.organisation_id === organisation;
        return { ...page, entries: page.entries.filter(isWanted) };
      };
      return {
        read,
        all: async (deployment, { limit, progress } = {}) => {
          const { entries } = await read(deployment, { progress });
          return onePage(entries.slice(0, limit));
        },
      };
    },
  };
}

async function* onePage<Entry>(entries: readonly Entry[]): Pages<Entry> {
  yield entries;
}
