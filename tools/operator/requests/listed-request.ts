import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { defineEntity } from '../description/entity.ts';
import { count, id, opaque, time } from '../description/field.ts';
import { factsOf } from './facts.ts';
import type { LogLine } from './logs.ts';

/** A request in a list. */
export interface ListedRequest {
  readonly at: Timestamp;
  readonly status: number;
  readonly request_id: string;
  /** Absent if the API has no such method and path. */
  readonly route?: string | undefined;
  readonly rejection?: string | undefined;
  /** Absent if the log does not name the client. */
  readonly client_id?: string | undefined;
  readonly organisation_id?: string | undefined;
  readonly file_id?: string | undefined;
  readonly ip?: string | undefined;
  readonly response_latency_ms?: string | undefined;
}

/** Fields of a request in tables and CSV. */
export const listedRequests = defineEntity<ListedRequest>()({
  noun: 'request',
  fields: {
    at: time('Time'),
    status: count('Status'),
    request_id: id('Request'),
    route: opaque('Route'),
    rejection: opaque('Rejection'),
    client_id: id('Client', { of: 'client' }),
    organisation_id: id('Organisation', { of: 'organisation' }),
    file_id: id('File', { of: 'file' }),
    ip: opaque('Address'),
    response_latency_ms: opaque('Milliseconds'),
  },
  main: 'request_id',
  listed: [
    'at',
    'status',
    'request_id',
    'route',
    'rejection',
    'client_id',
    'organisation_id',
    'ip',
    'response_latency_ms',
  ],
  csv: [
    'at',
    'status',
    'request_id',
    'route',
    'rejection',
    'client_id',
    'organisation_id',
    'file_id',
    'ip',
    'response_latency_ms',
  ],
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
  const { status, rejection, client_id, organisation_id, file_id, ip, response_latency_ms } = shown;
  return {
    at: timestamp(new Date(access.at)),
    status,
    request_id: String(access.members.request_id),
    route: cause.route,
    rejection,
    client_id,
    organisation_id,
    file_id,
    ip,
    response_latency_ms,
  };
}
