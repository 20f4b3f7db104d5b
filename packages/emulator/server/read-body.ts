import type { IncomingMessage } from 'node:http';
import type { Release, Slots } from '../shared/concurrency.ts';

/** A body in memory. */
export interface ReadBody {
  readonly body: Buffer;
  /** Lets the next large body in. Call it when this one is needed no more. */
  readonly release: Release;
}

export interface BodyLimits {
  /** Largest body, in bytes. */
  readonly most: number;
  /** For the large bodies that may be in memory at the same time. A client has to wait while others have them all. */
  readonly large: Slots;
}

/**
 * Bodies up to this size, in bytes, do not wait. They are nearly all the requests of a healthy client, and must get
 * through while others send large bodies slowly. Their number is limited by that of the connections.
 */
const smallBodyBytes = 64 * 1024;

/**
 * Reads the body of a request into memory. Stops when the body is known to be too large: from its declared length, or
 * when the bytes pass the limit.
 *
 * @returns undefined when the body is too large; the rest of it is unread then
 * @throws {Error} when the client went away
 */
export async function readWholeBody(
  request: IncomingMessage,
  { most, large }: BodyLimits,
): Promise<ReadBody | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > most) {
    return undefined;
  }
  let release: Release = () => undefined;
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    // The loop reads no further while it waits: TCP then makes the client wait.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (length <= smallBodyBytes && length + chunk.length > smallBodyBytes) {
        release = await large.take();
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
  }
}
