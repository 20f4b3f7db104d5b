import { join } from 'node:path';
import type { RecordMetric } from '../cloudwatch/metric-store.ts';
import type { Access } from '../iam/authorize.ts';
import { type LogFile, openLogFile } from '../logs/log-file.ts';
import { parseLine, recordLogMetrics } from '../logs/log-lines.ts';
import { readMetricFilters } from '../logs/metric-filters.ts';
import { regionalArn } from '../shared/names.ts';
import type { LambdaSettings } from './settings.ts';
import type { LambdaFunction } from './variables.ts';

/** Opens the log of a function. The embedded metrics and the metric filters create metrics from its lines. */
export function openFunctionLog(
  lambda: LambdaFunction,
  emulator: LambdaSettings,
  record: RecordMetric,
): LogFile {
  const { resources, logDirectory, disk, log, now, onFunctionError = () => undefined } = emulator;
  const functionName = lambda.ref;
  const file = openLogFile(logFileOf(lambda, logDirectory), disk);
  const filters = readMetricFilters(resources)(logGroupOf(lambda));
  const recordMetrics = recordLogMetrics({ functionName, filters, record, log, now: () => now().getTime() });
  const write = (line: string) => {
    file.write(line);
    const entry = parseLine(line);
    if (entry === undefined) {
      return;
    }
    recordMetrics(entry);
    if (entry.level === 'ERROR') {
      // For a terminal: JSON escapes control characters.
      onFunctionError(functionName, JSON.stringify(entry));
    }
  };
  return { write, close: file.close };
}

/** Returns the name of a function's log group. */
export function logGroupOf({ ref, properties }: LambdaFunction): string {
  return properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${ref}`;
}

/** Returns the path of the file with the lines of a function. */
export function logFileOf({ ref }: LambdaFunction, logDirectory: string): string {
  return join(logDirectory, `${ref}.log`);
}

/**
 * Returns true if Lambda may write the log of a function. Lambda needs both permissions, from the function's
 * role. Without them the function runs and its lines are lost (Lambda, "Sending Lambda function logs to
 * CloudWatch Logs").
 */
export function mayWriteLogs(lambda: LambdaFunction, { authorize, stack }: Access): boolean {
  const principal = { kind: 'session', roleArn: lambda.properties.Role, sessionName: lambda.ref } as const;
  const streams = regionalArn('logs', `log-group:${logGroupOf(lambda)}:log-stream:`, stack);
  return (
    authorize({ principal, action: 'logs:CreateLogStream', resource: streams }).allowed &&
    authorize({ principal, action: 'logs:PutLogEvents', resource: `${streams}local` }).allowed
  );
}
