import type { Principal } from '../iam/principal.ts';

/** Sender of a request to S3. */
export interface S3Caller {
  readonly principal: Principal;
  /** Age of a presigned URL; 0 for a request that was signed when it was sent. */
  readonly signatureAgeMilliseconds: number;
  /** Value of `x-amz-content-sha256`. The body of a presigned request is not signed. */
  readonly payloadHash: string;
}
