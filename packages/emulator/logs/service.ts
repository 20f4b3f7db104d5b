import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { type Access, requireAllowed } from '../iam/authorize.ts';
import { parseInput } from '../protocols/parse-input.ts';
import { findOperation, type Output, type Service } from '../protocols/service.ts';
import type { AwsService } from '../registry/aws-service.ts';
import { AwsError } from '../shared/errors.ts';
import type { JsonObject } from '../shared/json.ts';
import { regionalArn } from '../shared/names.ts';
import { readFilterPattern } from './filter-pattern.ts';
import { parseLine } from './log-lines.ts';
import { logGroupType, metricFilterType, queryDefinitionType } from './resource-types.ts';

/** CloudWatch Logs. */
export const logs = {
  resourceTypes: [logGroupType, metricFilterType, queryDefinitionType],
  start: async (emulator) => {
    const files = new Map<string, string>();
    return {
      /** Files with the lines of each log group. A service that writes a log adds its file. */
      files,
      endpoint: {
        protocol: 'json',
        name: 'logs',
        uncounted: true,
        target: 'Logs_20140328',
        version: '1.1',
        serve: createLogs(files, emulator),
      },
    };
  },
} satisfies AwsService;

/**
 * CloudWatch Logs (API reference, version 2014-03-28): reads the lines of functions and of the access log.
 *
 * @param files file with the lines of each log group
 */
function createLogs(files: ReadonlyMap<string, string>, access: Access): Service {
  const operations = { FilterLogEvents: filterLogEvents };
  return async ({ principal, operation, input }) => {
    const act = findOperation(operations, operation);
    const request = parseInput(requestSchema, input, 'InvalidParameterException');
    const resource = regionalArn('logs', `log-group:${request.logGroupName}:*`, access.stack);
    requireAllowed({ principal, action: `logs:${operation}`, resource }, access);
    const file = files.get(request.logGroupName);
    if (file === undefined) {
      throw new AwsError(400, 'ResourceNotFoundException', 'The specified log group does not exist.');
    }
    return act(file, request);
  };
}

/** Milliseconds since the epoch. */
const timeSchema = v.pipe(v.number(), v.integer(), v.minValue(0));

const requestSchema = v.strictObject({
  logGroupName: v.string(),
  filterPattern: v.string(),
  startTime: timeSchema,
  endTime: timeSchema,
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)), 10_000),
  /** Number of lines that the earlier pages have read. */
  nextToken: v.optional(v.pipe(v.string(), v.digits('expected digits'), v.transform(Number)), '0'),
});

/** Maximum lines read for one page: a second's work. */
const maxLines = 100_000;

/** One page, oldest event first. A line without a time is skipped. */
async function filterLogEvents(file: string, request: v.InferOutput<typeof requestSchema>) {
  const { startTime, endTime, limit, nextToken: first } = request;
  const matches = readFilterPattern(request.filterPattern);
  if (matches === undefined) {
    throw new AwsError(400, 'InvalidParameterException', 'The emulator does not support this filterPattern.');
  }
  const events: Output[] = [];
  let read = 0;
  // With this flag, a removed file reads as empty.
  for await (const message of createInterface({ input: createReadStream(file, { flags: 'a+' }) })) {
    if (events.length === limit || read === first + maxLines) {
      return { events, nextToken: String(read) };
    }
    read += 1;
    const line = read > first ? parseLine(message) : undefined;
    const timestamp = timeOf(line);
    if (line !== undefined && matches(line) && timestamp >= startTime && timestamp <= endTime) {
      events.push({
        logStreamName: 'local',
        timestamp,
        ingestionTime: timestamp,
        message,
        eventId: `${read}`,
      });
    }
  }
  return { events };
}

/**
 * Returns the `timestamp` of a line, in milliseconds since the epoch, or its `time` in the Common Log Format,
 * which API Gateway writes: `12/Mar/2020:19:03:58 +0000`. NaN for a line with neither.
 */
function timeOf(line: JsonObject | undefined): number {
  const commonLog = String(line?.time).replace(/^(\d+)\/(\w+)\/(\d+):/, '$1 $2 $3 ');
  return Date.parse(line?.timestamp === undefined ? commonLog : String(line.timestamp));
}
