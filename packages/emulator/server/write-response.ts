import type { IncomingMessage, ServerResponse } from 'node:http';
import { expectsContinue } from './http-server.ts';

/** A response with its body in memory. */
export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Maximum bytes and time for reading an unwanted body, before the connection is closed. */
const maxDrain = { bytes: 64 * 1024 * 1024, milliseconds: 2_000 };

/**
 * Writes a response. If the body of the request has not been read, the connection ends with this response. Before the end,
 * bytes that the client still sends are read for a short while: a connection that is closed with unread bytes is reset,
 * and then the client may lose the response (RFC 9112 section 9.6).
 */
export async function writeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body = '' }: HttpResponse,
): Promise<void> {
  const content = Buffer.from(body);
  const unread = hasUnreadBody(request);
  // RFC 9110 section 8.6.
  const mayHaveLength = status !== 204 && status !== 304;
  response.writeHead(status, {
    ...headers,
    ...(mayHaveLength ? { 'content-length': String(content.length) } : {}),
    ...(unread ? { connection: 'close' } : {}),
  });
  if (unread) {
    response.write(request.method === 'HEAD' ? '' : content);
    // A client that waits for 100 Continue sends no more data.
    if (!expectsContinue(request)) {
      await drain(request, response);
    }
    response.end();
    return;
  }
  response.end(request.method === 'HEAD' ? undefined : content);
}

function hasUnreadBody(request: IncomingMessage): boolean {
  const { complete, destroyed, headers } = request;
  if (complete || destroyed) {
    return false;
  }
  const length = Number(headers['content-length'] ?? 0);
  return expectsContinue(request) || headers['transfer-encoding'] !== undefined || length > 0;
}

async function drain(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.destroyed || response.destroyed) {
    return;
  }
  await new Promise<void>((resolve) => {
    let size = 0;
    const timer = setTimeout(resolve, maxDrain.milliseconds);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxDrain.bytes) {
        end();
      }
    });
    for (const event of ['end', 'close', 'error']) {
      request.once(event, end);
    }
    request.resume();
  });
}

/** Returns true if a response can be sent: no response has begun, and the connection is open. */
export function isOpen({ headersSent, destroyed, socket }: ServerResponse): boolean {
  return !headersSent && !destroyed && socket?.writable !== false;
}
