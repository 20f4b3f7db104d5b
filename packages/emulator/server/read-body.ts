import type { IncomingMessage } from 'node:http';

/**
 * Reads the body of a request into memory. Stops as soon as the body is known to be too large: by its
 * declared length, or when the bytes exceed the limit.
 *
 * @param max maximum size of the body, in bytes
 * @returns undefined when the body is too large. The rest of the body is then unread
 * @throws {Error} when the client disconnected
 */
export async function readWholeBody(request: IncomingMessage, max: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > max) {
    return undefined;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > max) {
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
