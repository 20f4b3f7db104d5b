import type { IncomingMessage } from 'node:http';

/** Largest body (API Gateway, "Quotas for HTTP APIs": payload size 10 MB). */
export const maximumBodyBytes = 10 * 1024 * 1024;

/**
 * Reads the body of a request. Stops as soon as the body is known to be too large: from its declared length, or when
 * the bytes pass the limit.
 *
 * @returns undefined when the body is too large; the rest of it is unread then
 * @throws {Error} when the client went away
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maximumBodyBytes) {
    return undefined;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      act();
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maximumBodyBytes) {
        settle(() => resolve(undefined));
      } else {
        chunks.push(chunk);
      }
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks)));
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () => settle(() => reject(new Error('The client closed the connection')));
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}
