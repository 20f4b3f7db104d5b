import type { LogFile } from '../logs/log-file.ts';

/**
 * Takes the lines of a function: all go to its file, and those of level ERROR also to a person at the terminal, who
 * sees why there was a 500.
 *
 * @param onError takes the line as one line of JSON, without control characters
 */
export function logLines(file: LogFile, onError: (line: string) => void): (line: string) => void {
  return (line) => {
    file.write(line);
    const error = errorLine(line);
    if (error) onError(error);
  };
}

/** A line that is no JSON comes from outside the function's logger: a warning of Node, or a crash. */
function errorLine(line: string): string | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    const isError =
      typeof entry === 'object' && entry !== null && 'level' in entry && entry.level === 'ERROR';
    return isError ? JSON.stringify(entry) : undefined;
  } catch {
    return undefined;
  }
}
