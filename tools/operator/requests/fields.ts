import { defineEntity } from '../description/entity.ts';
import { count, id, opaque, state, text, time, timeline } from '../description/field.ts';
import type { RequestTimeline } from './timeline.ts';

/** Columns of a list. */
const columns = [
  'at',
  'status',
  'request_id',
  'route',
  'rejection',
  'client_id',
  'organisation_id',
  'ip',
] as const;

/** Fields of a request in details, tables and CSV. */
export const requests = defineEntity<RequestTimeline>()({
  noun: 'request',
  fields: {
    request_id: id('Request ID'),
    outcome: state('Outcome', ({ outcome }) => outcome, {
      succeeded: 'good',
      rejected: 'warning',
      failed: 'bad',
    }),
    route: text('Route'),
    at: time('At'),
    ip: opaque('From'),
    client_id: id('Client', { of: 'client' }),
    secret_id: opaque('Secret ID'),
    organisation_id: id('Organisation', { of: 'organisation' }),
    file_id: id('File', { of: 'file' }),
    upload_id: id('Upload', { of: 'upload' }),
    status: count('Status'),
    rejection: text('Rejection'),
    why: text('Why'),
    response_latency_ms: opaque('Milliseconds to respond'),
    aws_request_id: opaque('AWS request ID'),
    timeline: timeline('Timeline'),
  },
  listed: columns,
  csv: [...columns, 'file_id', 'response_latency_ms'],
  main: 'request_id',
  isWhole: true,
  // The page of a request searches the access log only at this time.
  query: ({ at }) => ({ since: at, until: at }),
});
