import * as v from 'valibot';
import type { RequestLog } from '../../../contract/internal/request-log.ts';
import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { uploadFromItem } from '../../../storage/upload.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import { isAccessDenied } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readItem } from '../deployment/items.ts';
import type { EntityDetails } from '../description/entity.ts';
import type { Moment } from '../description/field.ts';
import { NotFound, type OperationError } from '../errors.ts';
import { quoted } from '../text.ts';
import { timelineOf } from '../uploads/timeline.ts';
import { explain, routeOf } from './explain.ts';
import { type LogLine, type LogReader, linesOf, openLogs, shownSchema, windowsOf } from './logs.ts';

/** A request to the API, with its sender and the response. */
export interface RequestTimeline extends v.InferOutput<typeof shownSchema> {
  readonly status: number;
  /** `rejected` means that the client must change something. `failed` means that the service must. */
  readonly outcome: 'succeeded' | 'rejected' | 'failed';
  readonly at: Timestamp;
  /** Cause of the response, in sentences. Absent in a list. */
  readonly why?: string;
  /** Timeline of the upload URL, if the request got one. */
  readonly timeline?: readonly Moment[] | undefined;
}

interface TimelineOptions {
  /** Start of the search in the logs. Default: a day ago. */
  readonly since?: Timestamp | undefined;
  /** End of the search in the logs. Default: now. */
  readonly until?: Timestamp | undefined;
  /** Callback for the progress, as a sentence. */
  readonly progress?: (sentence: string) => void;
  /** Returns true to stop reading. Called after each page of a log. Default: never. */
  readonly isTimeUp?: () => boolean;
}

const [minute, hour] = [60_000, 3_600_000];

/**
 * Reads the timeline of a request, from the access log, the log of the function that served it and the record
 * of its upload.
 *
 * @param requestId id from `requestIdIn`
 * @throws {OperationError} when the access log does not contain the request
 */
export async function readRequestTimeline(
  deployment: Deployment,
  requestId: string,
  options: TimelineOptions,
): Promise<EntityDetails<RequestTimeline>> {
  const read = await openLogs(deployment);
  const access = await findAccessLine(read, requestId, deployment.now(), options);
  const served = routeOf(access.members.route);
  const notes: string[] = [];
  const line = served && (await findFunctionLine(read, served.servedBy, requestId, access.at, notes));
  const { why, next } = await explain(deployment, { ...line?.members, ...access.members });
  const request = describeRequest(access, line);
  const timeline = await readTimeline(deployment, request.upload_id);
  const of = {
    ...request,
    why,
    timeline: timeline && [{ at: request.at, event: 'Asked for', detail: `from ${request.ip}` }, ...timeline],
  };
  return { of, notes, next };
}

/** Describes a request from its lines in the access log and in the log of a function. */
export function describeRequest(access: LogLine, line: LogLine | undefined): RequestTimeline {
  const { status = 0, ...shown } = v.parse(shownSchema, { ...line?.members, ...access.members });
  return { outcome: outcomeOf(status), at: timestamp(access.at), status, ...shown };
}

/** Finds the line of the access log, in windows: CloudWatch reads the oldest lines first. */
async function findAccessLine(
  read: LogReader,
  requestId: string,
  now: number,
  { since, until, progress, isTimeUp }: TimelineOptions,
): Promise<LogLine> {
  const to = until === undefined ? now : Date.parse(until);
  const from = since === undefined ? to - 24 * hour : Date.parse(since);
  for (const window of windowsOf({ from, to }, 10 * minute)) {
    progress?.(`Reading the access log, back to ${new Date(window.from).toISOString()}`);
    for await (const { lines } of read(['access'], linesOf('request_id', [requestId]), window)) {
      if (lines[0] !== undefined) {
        return lines[0];
      }
      if (isTimeUp?.()) {
        throw notFound(
          requestId,
          `The time limit was reached: the access log was read back to ${new Date(window.to).toISOString()}.`,
        );
      }
    }
  }
  throw notFound(requestId, `The access log was read back to ${new Date(from).toISOString()}.`);
}

function notFound(requestId: string, howFar: string): OperationError {
  return new NotFound(
    `No request with the id ${quoted(requestId)} was found. ${howFar} A line appears some seconds after its request, and ` +
      'stays for the days of the setting logRetentionDays (90, and 7 in dev). The record of an upload keeps the id of the request that got its URL.',
    { noun: 'request', verb: 'show', id: requestId, answers: { since: '7d' } },
    { noun: 'upload', verb: 'list', answers: { request: requestId } },
  );
}

/**
 * Finds the line of the function. A function responds within ten seconds, so its line is close in time to the
 * line of the access log.
 */
async function findFunctionLine(
  read: LogReader,
  log: RequestLog,
  requestId: string,
  at: number,
  notes: string[],
): Promise<LogLine | undefined> {
  try {
    const range = { from: at - minute, to: at + minute };
    for await (const { lines } of read([log], linesOf('request_id', [requestId]), range)) {
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

function outcomeOf(status: number): RequestTimeline['outcome'] {
  if (status < 400) {
    return 'succeeded';
  }
  return status < 500 ? 'rejected' : 'failed';
}

/** Reads the timeline of an upload URL. Its record may no longer exist. */
async function readTimeline(deployment: Deployment, uploadId: string | undefined) {
  const item = uploadId && (await readItem(deployment, 'upload', uploadId));
  return item ? timelineOf(uploadFromItem(item), timeOf(deployment)) : undefined;
}
