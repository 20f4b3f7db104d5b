/**
 * A structured line of `logs/aws.log`, such as a denied call or a failed delivery. Never contains a secret.
 */
export type LogLine = Readonly<Record<string, unknown>>;

/** Writes a line to `logs/aws.log`. */
export type Log = (line: LogLine) => void;
