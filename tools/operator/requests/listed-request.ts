import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { defineEntity } from '../description/entity.ts';
import { count, id, opaque, text, time } from '../description/field.ts';
import { factsOf, type ShownFacts } from './facts.ts';
import type { LogLine } from './logs.ts';

/** A request in a list. The client is absent if the log does not name it. */
export interface ListedRequest extends Omit<ShownFacts, 'upload_id' | 'aws_request_id'> {
  readonly at: Timestamp;
  readonly request_id: string;
  /** Absent if the API has no such method and path. */
  readonly route?: string | undefined;
}

/** Columns of tables. */
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

/** Fields of a request in tables and CSV. */
export const listedRequests = defineEntity<ListedRequest>()({
  noun: 'request',
  fields: {
    at: time('Time'),
    status: count('Status'),
    request_id: id('Request'),
    route: text('Route'),
    rejection: text('Rejection'),
    client_id: id('Client', { of: 'client' }),
    organisation_id: id('Organisation', { of: 'organisation' }),
    file_id: id('File', { of: 'file' }),
    ip: opaque('Address'),
    response_latency_ms: opaque('Milliseconds'),
  },
  main: 'request_id',
  listed: columns,
  csv: [...columns, 'file_id', 'response_latency_ms'],
  isWhole: true,
  // The page of a request searches the log only around this time.
  query: ({ at }) => ({ since: shifted(at, -1), until: shifted(at, 1) }),
});

/** Returns a time some minutes later. */
function shifted(at: Timestamp, minutes: number): Timestamp {
  return timestamp(new Date(Date.parse(at) + minutes * 60_000));
}

/** Returns the request of its lines in the access log and in the log of a function. */
export function listedRequest(access: LogLine, ofFunction: LogLine | undefined): ListedRequest {
  const { shown, cause } = factsOf(access, ofFunction);
  const { upload_id: _upload, aws_request_id: _aws, ...facts } = shown;
  const at = timestamp(new Date(access.at));
  return { at, request_id: String(access.members.request_id), route: cause.route, ...facts };
}
