import { join } from 'node:path';
import { StartProblem } from '../shared/errors.ts';
import { commonLogTime } from './request-event.ts';

/** What is known about a request when its response has been written. */
export interface AccessLogEntry {
  readonly requestId: string;
  readonly time: Date;
  readonly sourceIp: string;
  readonly routeKey: string | undefined;
  readonly status: number;
  /** Bytes of the body. */
  readonly responseLength: number;
  /** Milliseconds. */
  readonly responseLatency: number;
  /** Milliseconds in the function; undefined when no function was invoked. */
  readonly integrationLatency: number | undefined;
  readonly integrationError: string | undefined;
  /** Message of a response of the gateway itself. */
  readonly errorMessage: string | undefined;
  readonly apiId: string;
  readonly domainName: string;
}

/** The file with the lines of the access log. */
export function accessLogFile(logDirectory: string): string {
  return join(logDirectory, 'access.log');
}

type Variable = (entry: AccessLogEntry) => string | number | undefined;

/** The variables that the emulator knows (API Gateway, "Customize HTTP API access logs"). */
const variables: Readonly<Record<string, Variable>> = {
  domainName: (entry) => entry.domainName,
  'error.responseType': (entry) =>
    entry.errorMessage === undefined ? undefined : responseType(entry.status),
  'identity.sourceIp': (entry) => entry.sourceIp,
  integrationErrorMessage: (entry) => entry.integrationError,
  integrationLatency: (entry) => entry.integrationLatency,
  integrationStatus: (entry) => integrationStatus(entry),
  requestId: (entry) => entry.requestId,
  requestTime: (entry) => commonLogTime(entry.time),
  responseLatency: (entry) => entry.responseLatency,
  responseLength: (entry) => entry.responseLength,
  routeKey: (entry) => entry.routeKey,
  status: (entry) => entry.status,
};

/** Status that the function chose; undefined when it failed or was not invoked. */
function integrationStatus(entry: AccessLogEntry): number | undefined {
  const responded = entry.integrationLatency !== undefined && entry.integrationError === undefined;
  return responded ? entry.status : undefined;
}

/** Type of a response of the gateway itself (API Gateway, "Gateway response types"). */
function responseType(status: number): string {
  if (status === 413) {
    return 'REQUEST_TOO_LARGE';
  }
  if (status === 429) {
    return 'THROTTLED';
  }
  return status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
}

const variablePattern = /\$context\.([A-Za-z0-9]+(?:\.[A-Za-z0-9]+)*)/g;

/**
 * Prepares the stage's access log format.
 *
 * @throws {StartProblem} when the format has a variable that is not known
 */
export function createAccessLogFormatter(format: string): (entry: AccessLogEntry) => string {
  const unknown = [...format.matchAll(variablePattern)].filter(
    (match) => !Object.hasOwn(variables, match[1] ?? ''),
  );
  if (unknown.length > 0) {
    const names = unknown.map((match) => match[0]).join(', ');
    throw new StartProblem(`The access log format uses ${names}, which the emulator does not know.`);
  }
  return (entry) =>
    format.replace(variablePattern, (_, name: string) => escapeForJson(variables[name]?.(entry) ?? '-'));
}

/** A user agent with a quote or a line break must not forge a member of the JSON, or a line of the log. */
function escapeForJson(value: string | number): string {
  return JSON.stringify(String(value)).slice(1, -1);
}
