import type { CustomResourceRequest } from './events.ts';

/** Answers a custom resource request; CloudFormation would wait for an hour otherwise. */
export type AnswerCustomResource = (request: CustomResourceRequest, failure?: string) => Promise<void>;

/** One set of keys for each stack: an update never replaces it. */
const physicalResourceId = 'signing-keys';

/** Milliseconds for CloudFormation's bucket to take an answer. */
const answerTimeoutMs = 5_000;

const attempts = 3;

/** Longest wait before the second attempt, in milliseconds; it doubles for each one after it. */
const firstWaitMs = 500;

export interface AnswerDependencies {
  readonly put: typeof fetch;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * Answers by PUT to the request's presigned URL ("Custom resource response objects"). The body goes out as bytes, so
 * that `fetch` adds no Content-Type: the URL is signed without one.
 *
 * @throws {Error} when no attempt was taken; Lambda then runs the whole request again
 */
export function createAnswerCustomResource({ put, sleep, random }: AnswerDependencies): AnswerCustomResource {
  return async ({ StackId, RequestId, LogicalResourceId, ResponseURL }, failure) => {
    const body = Buffer.from(
      JSON.stringify({
        Status: failure === undefined ? 'SUCCESS' : 'FAILED',
        ...(failure === undefined ? {} : { Reason: failure }),
        PhysicalResourceId: physicalResourceId,
        StackId,
        RequestId,
        LogicalResourceId,
      }),
    );
    for (let attempt = 1; attempt <= attempts; attempt++) {
      if (attempt > 1) {
        await sleep(random() * firstWaitMs * 2 ** (attempt - 2));
      }
      if (await isTaken(put, ResponseURL, body)) {
        return;
      }
    }
    // Without the cause: it may quote the URL, whose signature is a secret.
    throw new Error('CloudFormation did not take the answer');
  };
}

async function isTaken(put: typeof fetch, url: string, body: Buffer): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    const response = await put(url, { method: 'PUT', body: new Uint8Array(body), signal });
    return response.ok;
  } catch {
    return false;
  }
}
