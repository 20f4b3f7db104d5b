import { routes } from '../../../contract/routes.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { defineEntity } from '../description/entity.ts';
import { count, id, opaque, text, time } from '../description/field.ts';
import { type FilterValues, organisationFilter, timeFilter } from '../lists/filters.ts';
import type { EntityList, WholeSource } from '../lists/list.ts';
import { type CountedRequests, countedContents, countRequests, type RequestCount } from './count-requests.ts';

/** Fields of a count of requests in tables and CSV. */
const requestCounts = defineEntity<RequestCount>()({
  noun: 'client',
  rowNoun: 'row',
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

const countFilters = [
  organisationFilter,
  {
    ...timeFilter('since', 'requested from', 'requests from this time on (default: 24h)'),
    defaultValue: '24h',
  },
];

/** Rejected requests, by client and reason. */
export const rejections: EntityList<RequestCount> = {
  entity: requestCounts,
  verb: 'rejections',
  about:
    'Rejected requests, by client and reason. Requests of unknown clients are counted together, one row for each reason.',
  example: '--stack file-sync-prod client rejections --since 7d',
  filters: countFilters,
  source: async (deployment, values) => countSource(deployment, 'rejections', values),
};

/** Successful requests, by client. */
export const usage: EntityList<RequestCount> = {
  entity: requestCounts,
  verb: 'usage',
  about: `Requests that returned ${countedContents(Object.values(routes))}, by client.`,
  example: '--stack file-sync-prod client usage --since 7d',
  filters: countFilters,
  source: async (deployment, values) => countSource(deployment, 'usage', values),
};

function countSource(
  deployment: Deployment,
  counted: CountedRequests,
  { since = '', organisation }: FilterValues,
): WholeSource<RequestCount> {
  return {
    readWhole: async (progress) => {
      const range = { since: new Date(since), until: new Date(deployment.now()) };
      const page = await countRequests(deployment, counted, range, progress);
      const isWanted = (row: RequestCount) =>
        organisation === undefined || row.organisation_id === organisation;
      return { ...page, entries: page.entries.filter(isWanted) };
    },
  };
}
