import { routes } from '../../../contract/routes.ts';
import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { isAccessDenied } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Look } from '../description/entity.ts';
import type { Moment } from '../description/field.ts';
import { isNotFound, OperationError } from '../errors.ts';
import { quoted } from '../text.ts';
import { lookAtUpload } from '../uploads/look.ts';
import { explain } from './explain.ts';
import { factsOf, type RequestFacts, routeNamed } from './facts.ts';
import { type LogLine, type LogName, openLogs, type ReadLog } from './logs.ts';

/** A request to the API: who asked for what, and how it was answered. */
export interface Story extends Pick<RequestFacts, ShownFact> {
  readonly request_id: string;
  /** `refused`: the client must change something. `failed`: the service must. */
  readonly outcome: 'answered' | 'refused' | 'failed';
  readonly asked_for: string;
  readonly at: Timestamp;
  /** Why the request was answered so, in sentences. */
  readonly why: string;
  /** For an upload URL: what became of it. */
  readonly timeline?: readonly Moment[] | undefined;
}

type ShownFact =
  | 'ip'
  | 'client_id'
  | 'organisation_id'
  | 'file_id'
  | 'upload_id'
  | 'status'
  | 'refusal'
  | 'response_latency_ms'
  | 'aws_request_id';

export interface Telling {
  /** How far back the logs are read. Default: a day. */
  readonly since?: Timestamp | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Says how far the work is. */
  readonly progress?: (sentence: string) => void;
  /** Asked after each page of a log. Reading stops when time is up. Default: never. */
  readonly isTimeUp?: () => boolean;
}

const [minute, hour] = [60_000, 3_600_000];

/**
 * Tells the story of a request, from the access log, the log of the function that served it and the record of its upload.
 *
 * @param requestId from `requestIdIn`
 * @throws {OperationError} when the access log has no line of the request
 */
export async function tellStory(
  deployment: Deployment,
  requestId: string,
  { since, now, ...looking }: Telling,
): Promise<Look<Story>> {
  const to = now();
  const from = since === undefined ? to - 24 * hour : Date.parse(since);
  const read = await openLogs(deployment);
  const access = await findAccessLine(read, requestId, { from, to, ...looking });
  const served = routeNamed(access.members.route);
  const notes: string[] = [];
  const line = served && (await findFunctionLine(read, routes[served].servedBy, requestId, access.at, notes));
  const facts = factsOf(access, line);
  const { route, reason, error_name, error_message, integration_error, ...shown } = facts;
  const { why, next } = await explain(deployment, facts);
  const of = {
    request_id: requestId,
    outcome: outcomeOf(facts.status),
    asked_for: thingAt(served),
    at: timestamp(new Date(access.at)),
    ...shown,
    why,
    timeline: await timelineOf(deployment, facts.upload_id),
  };
  return { of, notes, next };
}

interface AccessLogSearch extends Omit<Telling, 'since' | 'now'> {
  readonly from: number;
  readonly to: number;
}

/**
 * CloudWatch reads the oldest lines first, and people mostly ask about the last minutes. So the time is read in slices, the
 * latest first.
 */
async function findAccessLine(
  read: ReadLog,
  requestId: string,
  { from, to, progress = () => undefined, isTimeUp = () => false }: AccessLogSearch,
): Promise<LogLine> {
  let end = to;
  for (const start of startsOfSlices(from, to)) {
    progress(`Looking at the access log, back to ${new Date(start).toISOString()}`);
    for await (const { lines } of read('access', 'request_id', requestId, { from: start, to: end })) {
      if (lines[0] !== undefined) {
        return lines[0];
      }
      if (isTimeUp()) {
        throw notFound(
          requestId,
          `Time was up: the access log was read back to ${new Date(end).toISOString()}.`,
        );
      }
    }
    end = start;
  }
  throw notFound(requestId, `The access log was read back to ${new Date(from).toISOString()}.`);
}

/** The starts of the last ten minutes, hour and six hours, and then of each day. */
function startsOfSlices(from: number, to: number): readonly number[] {
  const days = Array.from({ length: Math.ceil((to - from) / (24 * hour)) }, (_, day) => day * 24 * hour);
  const lengths = [10 * minute, hour, 6 * hour, ...days.slice(1)];
  return [...lengths.map((length) => to - length).filter((start) => start > from), from];
}

function notFound(requestId: string, howFar: string): OperationError {
  return new OperationError(
    'not found',
    `No request with the id ${quoted(requestId)} was found. ${howFar} A line appears some seconds after its request, and ` +
      'stays for 90 days in the stage prod, for 7 in dev. The record of an upload keeps the id of the request that got its URL.',
    { noun: 'request', verb: 'show', id: requestId, asked: { since: '7d' } },
    { noun: 'upload', verb: 'list', asked: { request: requestId } },
  );
}

/** A function answers within ten seconds, so its line is near that of the access log. */
async function findFunctionLine(
  read: ReadLog,
  log: LogName,
  requestId: string,
  at: number,
  notes: string[],
): Promise<LogLine | undefined> {
  try {
    for await (const { lines } of read(log, 'request_id', requestId, {
      from: at - minute,
      to: at + minute,
    })) {
      if (lines[0] !== undefined) {
        return lines[0];
      }
    }
  } catch (error) {
    if (!isAccessDenied(error)) {
      throw error;
    }
    notes.push(
      `The log of ${log} was not read, because your AWS credentials lack logs:FilterLogEvents on it.`,
    );
  }
  return undefined;
}

function outcomeOf(status: number): Story['outcome'] {
  if (status < 400) {
    return 'answered';
  }
  return status < 500 ? 'refused' : 'failed';
}

function thingAt(route: keyof typeof routes | undefined): string {
  switch (route) {
    case 'token':
      return 'an access token';
    case 'sync':
      return 'an upload URL';
    case 'volumes':
      return 'the list of volumes';
    case undefined:
      return 'something that is no route of the API';
    default:
      return `the public document ${routes[route].path}`;
  }
}

/** What became of an upload URL. Its record may be gone. */
async function timelineOf(deployment: Deployment, uploadId: string | undefined) {
  if (uploadId === undefined) {
    return undefined;
  }
  try {
    return (await lookAtUpload(deployment, uploadId)).of.timeline;
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw error;
  }
}
