import type { IncomingMessage } from 'node:http';
import type { ByteBudget, Release } from '../shared/byte-budget.ts';

/** A body in memory. */
export interface ReadBody {
  readonly body: Buffer;
  /** Gives its memory back to the budget. Call it when the body is needed no more. */
  readonly release: Release;
}

export interface BodyLimits {
  /** Largest body, in bytes. */
  readonly most: number;
  /** What all bodies together may take. A client has to wait while others use it up. */
  readonly budget: ByteBudget;
}

/**
 * Bodies up to this size, in bytes, do not wait. They are nearly all the requests of a healthy client, and must get
 * through while others send large bodies slowly. Their number is limited by that of the connections.
 */
export const smallBodyBytes = 64 * 1024;

/**
 * Reads the body of a request into memory. Stops when the body is known to be too large: from its declared length, or
 * when the bytes pass the limit.
 *
 * A body takes its part of the budget in one piece, so that no two bodies wait for each other.
 *
 * @returns undefined when the body is too large; the rest of it is unread then
 * @throws {Error} when the client went away
 */
export async function readWholeBody(
  request: IncomingMessage,
  { most, budget }: BodyLimits,
): Promise<ReadBody | undefined> {
  const declared = Number(request.headers['content-length'] ?? most);
  if (request.headers['content-length'] !== undefined && declared > most) {
    return undefined;
  }
  const gone = new AbortController();
  const onClose = () => gone.abort(new Error('The client closed the connection'));
  request.once('close', onClose);
  let release: Release = () => undefined;
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    // The loop reads no further while it waits for the budget: TCP then makes the client wait.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (length <= smallBodyBytes && length + chunk.length > smallBodyBytes) {
        release = await budget.take(declared, gone.signal);
      }
      length += chunk.length;
      if (length > most) {
        release();
        return undefined;
      }
      chunks.push(chunk);
    }
    return { body: Buffer.concat(chunks), release };
  } catch (error) {
    release();
    throw error;
  } finally {
    request.off('close', onClose);
  }
}
