import type { Principal } from '../iam/principal.ts';

/** A completed AWS call, successful or failed, as a bill counts calls. */
export interface AwsCall {
  /** Service as signatures name it: `dynamodb`, `s3`. */
  readonly service: string;
  /** Operation as the API reference names it: `HeadObject`. */
  readonly operation: string;
  /**
   * Name of the caller's session. The session of a function is named after the function. `operator` for the
   * operator.
   */
  readonly caller: string;
  /** Table of DynamoDB. */
  readonly table?: string;
  /** Request units of DynamoDB: read units, or write units of the table with its indexes. */
  readonly units?: number;
}

export type OnCall = (call: AwsCall) => void;

export function callerOf(principal: Principal): string {
  return principal.kind === 'session' ? principal.sessionName : principal.kind;
}
