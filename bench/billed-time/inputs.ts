/** What was measured of one kind of request. */
export interface MeasuredRequest {
  /** CPU time of a warm request in microseconds: median of the rounds. */
  readonly cpuMicroseconds: number;
  /** CPU time from the start of the process to the first answer, in milliseconds: median of the starts. */
  readonly coldCpuMilliseconds: number;
  /** Calls of AWS for one warm request, by operation. */
  readonly calls: Readonly<Record<string, number>>;
  /** How many of these calls are made one after the other. */
  readonly waits: number;
  /** What the function logs, and how long the body of its answer is. */
  readonly logBytes: number;
  readonly logLines: number;
  readonly answerBytes: number;
  /** The most memory that the process ever had, in MB. */
  readonly peakMegabytes: number;
  /** Milliseconds of warm requests at a share of one core; absent where the machine cannot hold a process down. */
  readonly emulated?: readonly EmulatedDuration[];
}

export interface EmulatedDuration {
  readonly memory: number;
  readonly waitMilliseconds: number;
  readonly p50: number;
  readonly p95: number;
}

/** The names of what is measured: each is one kind of event for one function. */
export const requestKinds = ['token', 'volumes', 'sync', 'documents', 'content', 'tombstone'] as const;

export type RequestKind = (typeof requestKinds)[number];

/** `bench/billed-time/measured.json` */
export interface MeasuredInputs {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly requests: Readonly<Record<RequestKind, MeasuredRequest>>;
}

/** Lambda gives a function with this memory one core, and others their part of it (Lambda, "Configure Lambda function memory"). */
export const megabytesOfOneCore = 1769;

/** Memory sizes that are compared. */
export const memorySizes = [128, 256, 512, 768, 1024, 1769] as const;

/** Network waits of one call that are compared, in milliseconds. */
export const waitsMilliseconds = [1, 3, 10] as const;
