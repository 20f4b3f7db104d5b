import type { WorkerError } from './worker-program.ts';

/** Error of an invocation of an environment that has ended without an error. */
export const runtimeExited: WorkerError = {
  errorType: 'Runtime.ExitError',
  errorMessage: 'Runtime exited',
};

/** Creates Lambda's error for a process that ended during an invocation. */
export function exitedDuring(requestId: string, code: number): WorkerError {
  const how = code === 0 ? 'without providing a reason' : `with error: exit status ${code}`;
  const errorMessage = `RequestId: ${requestId} Error: Runtime exited ${how}`;
  return { errorType: 'Runtime.ExitError', errorMessage };
}

/** Creates Lambda's error for a timeout. */
export function timedOut(requestId: string, milliseconds: number): WorkerError {
  const seconds = (milliseconds / 1000).toFixed(2);
  const errorMessage = `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`;
  return { errorType: 'Sandbox.Timedout', errorMessage };
}

/** Creates the error for an uncaught error in the worker. */
export function uncaught(error: unknown): WorkerError {
  const { name: errorType, message: errorMessage } =
    error instanceof Error ? error : { name: 'Error', message: String(error) };
  return { errorType, errorMessage };
}

/** Writes a log line in the JSON format of Lambda's own lines: one search finds both. */
export function errorLine(message: WorkerError, now: number): string {
  return JSON.stringify({ timestamp: new Date(now).toISOString(), level: 'ERROR', message });
}
