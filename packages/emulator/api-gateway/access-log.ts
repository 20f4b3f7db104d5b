import { join } from 'node:path';
import { StartProblem } from '../shared/errors.ts';
import { commonLogTime } from './request-event.ts';

/** A request and its response, as the access log records them. */
export interface AccessLogEntry {
  readonly requestId: string;
  readonly time: Date;
  readonly sourceIp: string;
  readonly routeKey: string | undefined;
  readonly status: number;
  /** Bytes of the response body. */
  readonly responseLength: number;
  /** Milliseconds from the request to the end of the response. */
  readonly responseLatency: number;
  /** Milliseconds in the function; undefined if no function was invoked. */
  readonly integrationLatency: number | undefined;
  readonly integrationError: string | undefined;
  /** Message of a response that the gateway itself created. */
  readonly errorMessage: string | undefined;
  readonly apiId: string;
  readonly domainName: string;
}

/** File that stores the lines of the access log. */
export function accessLogFile(logDirectory: string): string {
  return join(logDirectory, 'access.log');
}

type Variable = (entry: AccessLogEntry) => string | number | undefined;

/** Variables that the emulator supports (API Gateway, "Customize HTTP API access logs"). */
const variables: Readonly<Record<string, Variable>> = {
  domainName: (entry) => entry.domainName,
  'error.responseType': (entry) =>
    entry.errorMessage === undefined ? undefined : responseType(entry.status),
  'identity.sourceIp': (entry) => entry.sourceIp,
  integrationErrorMessage: (entry) => entry.integrationError,
  integrationLatency: (entry) => entry.integrationLatency,
  integrationStatus,
  requestId: (entry) => entry.requestId,
  requestTime: (entry) => commonLogTime(entry.time),
  responseLatency: (entry) => entry.responseLatency,
  responseLength: (entry) => entry.responseLength,
  routeKey: (entry) => entry.routeKey,
  status: (entry) => entry.status,
};

/** Status that the function returned; undefined if the function failed or was not invoked. */
function integrationStatus(entry: AccessLogEntry): number | undefined {
  const responded = entry.integrationLatency !== undefined && entry.integrationError === undefined;
  return responded ? entry.status : undefined;
}

/** Type of a response that the gateway itself created (API Gateway, "Gateway response types"). */
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
 * @throws {StartProblem} when the format contains an unknown variable
 */
export function createAccessLogFormatter(format: string): (entry: AccessLogEntry) => string {
  const unknown = [...format.matchAll(variablePattern)].filter(
    (match) => !Object.hasOwn(variables, match[1] ?? ''),
  );
  if (unknown.length > 0) {
    const names = unknown.map((match) => match[0]).join(', ');
    throw new StartProblem(`The access log format uses ${names}, which the emulator does not support.`);
  }
  return (entry) =>
    format.replace(variablePattern, (_, name: string) => escapeForJson(variables[name]?.(entry) ?? '-'));
}

/**
 * Escapes a value for JSON. Otherwise, a quote or a line break in a user agent could forge a JSON member or a
 * log line.
 */
function escapeForJson(value: string | number): string {
  return JSON.stringify(String(value)).slice(1, -1);
}
