import type { CustomResourceRequest } from './key-events.ts';

/** Answers a custom resource request. Without an answer, CloudFormation waits until the service timeout. */
export type AnswerCustomResource = (request: CustomResourceRequest, failure?: string) => Promise<void>;

/** Always the same, so that an update never replaces the resource: each stack has one set of keys. */
const physicalResourceId = 'signing-keys';

/** Longest time for one PUT to CloudFormation's bucket, in milliseconds. */
const answerTimeoutMilliseconds = 5_000;

const attempts = 3;

/** Longest wait before the second attempt, in milliseconds. It doubles for each later attempt. */
const firstWaitMilliseconds = 500;

export interface AnswerDependencies {
  readonly put: typeof fetch;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * Answers by PUT to the request's presigned URL ("Custom resource response objects"). The body is sent as bytes, so
 * that `fetch` adds no Content-Type: the URL is signed without one.
 *
 * @throws {Error} when every attempt failed; Lambda then runs the whole request again
 */
export function createAnswerCustomResource({ put, sleep, random }: AnswerDependencies): AnswerCustomResource {
  return async ({ StackId, RequestId, LogicalResourceId, ResponseURL }, failure) => {
    const body = Buffer.from(
      JSON.stringify({
        Status: failure === undefined ? 'SUCCESS' : 'FAILED',
        // JSON has no `undefined`: without a failure, there is no such member.
        Reason: failure,
        PhysicalResourceId: physicalResourceId,
        StackId,
        RequestId,
        LogicalResourceId,
      }),
    );
    for (let attempt = 1; attempt <= attempts; attempt++) {
      if (attempt > 1) {
        await sleep(random() * firstWaitMilliseconds * 2 ** (attempt - 2));
      }
      if (await isAccepted(put, ResponseURL, body)) {
        return;
      }
    }
    // The cause is left out: it may quote the URL, whose signature is a secret.
    throw new Error('CloudFormation did not accept the answer');
  };
}

async function isAccepted(put: typeof fetch, url: string, body: Buffer): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerTimeoutMilliseconds);
    const response = await put(url, { method: 'PUT', body: new Uint8Array(body), signal });
    return response.ok;
  } catch {
    return false;
  }
}
