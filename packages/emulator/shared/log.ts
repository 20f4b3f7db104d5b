/** One structured line of `logs/aws.log`: a denied call, a failed delivery. Never a secret. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Takes a line for `logs/aws.log`. */
export type Log = (line: LogLine) => void;
