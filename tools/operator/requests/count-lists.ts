import { routes } from '../../../contract/routes.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { defineEntity } from '../description/entity.ts';
import { bytes, count, id, opaque, text, time } from '../description/field.ts';
import { type FilterValues, organisationFilter, timeFilter } from '../lists/filters.ts';
import type { EntityList, PartSource } from '../lists/list.ts';
import { type CountedRequests, countedContents, countRequests, type RequestCount } from './count-requests.ts';

/** Fields of a count of requests in tables and CSV. */
const requestCounts = defineEntity<RequestCount>()({
  noun: 'client',
  rowNoun: 'row',
  isWhole: true,
  fields: {
    client_id: id('Client', { of: 'client' }),
    outcome: text('Outcome'),
    count: count('Count'),
    before: count('Before'),
    bytes: bytes('Bytes'),
    last_at: time('Last'),
    last_ip: opaque('Last address'),
    last_request_id: id('Last request', { of: 'request' }),
    organisation_id: id('Organisation', { of: 'organisation' }),
  },
  listed: [
    'client_id',
    'organisation_id',
    'outcome',
    'count',
    'before',
    'bytes',
    'last_at',
    'last_ip',
    'last_request_id',
  ],
  csv: [
    'client_id',
    'organisation_id',
    'outcome',
    'count',
    'last_at',
    'last_ip',
    'last_request_id',
    'before',
    'bytes',
  ],
});

const countFilters = [
  {
    name: 'by',
    label: 'Count by',
    about: 'one row for each client, or for each organisation (default: client)',
    placeholder: '<noun>',
    choices: ['client', 'organisation'],
    defaultValue: 'client',
  },
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
    'Rejected requests, by client and reason. Requests of unknown clients share one row for each reason. "Before" is the count in the span of the same length before.',
  example: '--stack file-sync-prod client rejections --since 7d',
  filters: countFilters,
  source: async (deployment, values) => countSource(deployment, 'rejections', values),
};

/** Successful requests, by client. */
export const usage: EntityList<RequestCount> = {
  entity: requestCounts,
  verb: 'usage',
  about: `Requests that returned ${countedContents(Object.values(routes))}, and recorded uploads with their bytes, by client. "Before" is the count in the span of the same length before.`,
  example: '--stack file-sync-prod client usage --since 7d',
  filters: countFilters,
  source: async (deployment, values) => countSource(deployment, 'usage', values),
};

function countSource(
  deployment: Deployment,
  counted: CountedRequests,
  { since = '', organisation, by }: FilterValues,
): PartSource<RequestCount> {
  return {
    readPart: async (progress) => {
      const span = { since: new Date(since), until: new Date(deployment.now()) };
      const byOrganisation = by === 'organisation';
      const page = await countRequests(deployment, counted, { ...span, byOrganisation, ...progress });
      const isWanted = (row: RequestCount) =>
        organisation === undefined || row.organisation_id === organisation;
      return { ...page, entries: page.entries.filter(isWanted) };
    },
  };
}
