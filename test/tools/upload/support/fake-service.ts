import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../../support/listen.ts';

/** A request as the fake received it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Reply =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** Breaks the connection: after the headers, or after the whole body has arrived. */
  | 'cut before body'
  | 'cut after body'
  /** Never answers: reads nothing, or reads the whole body. */
  | 'silent before body'
  | 'silent after body';

/** One server that plays both the service and the storage, until the end of the test. */
export interface FakeService {
  readonly baseUrl: string;
  readonly requests: Received[];
  /** Replies that come before the usual ones, in order, by endpoint. */
  readonly script: Record<'token' | 'sync' | 'put', Reply[]>;
}

export const uploadId = '0190b8a0-0000-7000-8000-000000000001';

/** The answer of the sync endpoint: an upload URL at this address. */
export function issued(baseUrl: string, id = uploadId): Exclude<Reply, string> {
  const data = { upload_url: `${baseUrl}/bucket/uploads/${id}?X-Amz-Signature=secret-signature` };
  return { status: 200, body: JSON.stringify({ data }) };
}

export async function startFakeService(): Promise<FakeService> {
  const server = createServer();
  const baseUrl = await listen(server);
  const fake: FakeService = {
    baseUrl,
    requests: [],
    script: { token: [], sync: [], put: [] },
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => void serve(fake, request, response);
  server.on('request', answer);
  server.on('checkContinue', answer);
  return fake;
}

async function serve(fake: FakeService, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request;
  const endpoint = endpointOf(method, url);
  const scripted = fake.script[endpoint].shift();
  if (headers.expect !== undefined && typeof scripted !== 'object' && scripted !== 'cut before body') {
    response.writeContinue();
  }
  if (scripted === 'cut before body' || scripted === 'silent before body') {
    fake.requests.push({ method, path: url, headers, body: Buffer.alloc(0) });
    if (scripted === 'cut before body') {
      request.socket.destroy();
    }
    return;
  }
  const refusedUnread = headers.expect !== undefined && typeof scripted === 'object';
  const body = refusedUnread ? Buffer.alloc(0) : await buffer(request).catch(() => Buffer.alloc(0));
  fake.requests.push({ method, path: url, headers, body });
  if (scripted === 'cut after body') {
    request.socket.destroy();
  }
  if (scripted === 'cut after body' || scripted === 'silent after body') {
    return;
  }
  const reply = scripted ?? usual(fake, endpoint, body);
  response.writeHead(reply.status, reply.headers).end(reply.body ?? '');
}

function endpointOf(method: string, path: string): keyof FakeService['script'] {
  if (method === 'PUT') {
    return 'put';
  }
  return path === '/oauth/token' ? 'token' : 'sync';
}

function usual(
  fake: FakeService,
  endpoint: keyof FakeService['script'],
  body: Buffer,
): Exclude<Reply, string> {
  switch (endpoint) {
    case 'token':
      return {
        status: 200,
        body: JSON.stringify({ access_token: 'secret-token', token_type: 'Bearer', expires_in: 3600 }),
      };
    case 'sync':
      return issued(fake.baseUrl);
    case 'put':
      return { status: 200, headers: { etag: `"${createHash('md5').update(body).digest('hex')}"` } };
  }
}
