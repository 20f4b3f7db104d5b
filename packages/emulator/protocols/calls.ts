import type { Principal } from '../iam/principal.ts';

/** A call of AWS that was answered, with a success or an error, as a bill counts calls. */
export interface AwsCall {
  /** The service as signatures name it: `dynamodb`, `s3`. */
  readonly service: string;
  /** The operation as the API reference names it: `HeadObject`. */
  readonly operation: string;
  /** Name of the session that called; a function's session has the function's name. `operator` for the operator. */
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
