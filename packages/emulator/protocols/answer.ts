import type { ServerResponse } from 'node:http';
import type { ReceivedRequest } from './request.ts';

/** An answer with its body in memory. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** How much of an unwanted body is read and dropped before the connection is cut. */
const drainLimit = { bytes: 64 * 1024 * 1024, milliseconds: 2_000 };

/**
 * Sends an answer. When the body of the request has not been read, the connection ends with this answer. Before that,
 * what the client is still sending is read for a short while. A connection that is closed with unread bytes is reset,
 * and the client may then lose the answer (RFC 9112 section 9.6).
 */
export async function sendAnswer(request: ReceivedRequest, answer: Answer): Promise<void> {
  const { response } = request;
  const body = Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(answer.body ?? '');
  const unread = hasUnreadBody(request);
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(answer.status === 304 ? {} : { 'content-length': String(body.length) }),
    ...(unread ? { connection: 'close' } : {}),
  });
  if (unread) {
    response.write(request.method === 'HEAD' ? '' : body);
    // A client that waits for 100 Continue sends nothing more.
    if (!request.expectsContinue) {
      await drain(request);
    }
    response.end();
    return;
  }
  response.end(request.method === 'HEAD' ? undefined : body);
}

function hasUnreadBody({ message, headers, expectsContinue }: ReceivedRequest): boolean {
  if (message.complete || message.destroyed) {
    return false;
  }
  if (expectsContinue) {
    return true;
  }
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

async function drain({ message, response }: ReceivedRequest): Promise<void> {
  if (message.destroyed || response.destroyed) {
    return;
  }
  await new Promise<void>((resolve) => {
    let size = 0;
    const timer = setTimeout(resolve, drainLimit.milliseconds);
    message.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > drainLimit.bytes) {
        resolve();
      }
    });
    for (const event of ['end', 'close', 'error']) {
      message.once(event, () => resolve());
    }
    message.once('close', () => clearTimeout(timer));
    message.once('end', () => clearTimeout(timer));
    message.resume();
  });
}

/** Whether an answer can still be sent: there is none yet, and the connection is open. */
export function isOpen({ headersSent, destroyed, socket }: ServerResponse): boolean {
  return !headersSent && !destroyed && socket?.writable !== false;
}
