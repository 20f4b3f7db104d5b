import type { Authorize } from '../iam/authorize.ts';
import { isJsonObject } from '../shared/json.ts';
import { regionalArn, type StackIdentity } from '../shared/names.ts';
import type { LogFile } from './log-file.ts';

/**
 * Takes the lines of a function. All go to its file, and errors to a person as well, who sees why there was a 500.
 *
 * @param onError takes a line of level ERROR as one line of JSON, without control characters
 */
export function logLines(file: LogFile, onError: (line: string) => void): (line: string) => void {
  return (line) => {
    file.write(line);
    const error = errorLine(line);
    if (error) {
      onError(error);
    }
  };
}

/** A line that is not JSON does not come from the function's logger: it is a warning of Node, or a crash. */
function errorLine(line: string): string | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return isJsonObject(entry) && entry.level === 'ERROR' ? JSON.stringify(entry) : undefined;
  } catch {
    return undefined;
  }
}

/** A function, as far as its log is concerned. */
export interface LogWriter {
  readonly roleArn: string;
  readonly functionName: string;
  readonly logGroupName: string;
}

/**
 * Whether Lambda may write the log of a function. Lambda needs both permissions, and takes them from the function's
 * role. Without them the function runs and its lines are lost (Lambda, "Sending Lambda function logs to CloudWatch
 * Logs").
 */
export function mayWriteLogs(writer: LogWriter, authorize: Authorize, stack: StackIdentity): boolean {
  const { roleArn, functionName, logGroupName } = writer;
  const principal = { kind: 'session', roleArn, sessionName: functionName } as const;
  const streams = regionalArn('logs', `log-group:${logGroupName}:log-stream:`, stack);
  return (
    authorize({ principal, action: 'logs:CreateLogStream', resource: streams }).allowed &&
    authorize({ principal, action: 'logs:PutLogEvents', resource: `${streams}local` }).allowed
  );
}
