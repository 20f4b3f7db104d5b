import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../../support/listen.ts';

/** Request to the fake service. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface HttpResponse {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export type Reply =
  | HttpResponse
  /** Breaks the connection: after the headers, or after the whole body. */
  | 'cut before body'
  | 'cut after body'
  /** Stores a changed body of the same size. */
  | 'damaged'
  /** Never responds: without reading the body, or after the whole body. */
  | 'silent before body'
  | 'silent after body';

/** Server that acts as the service and as S3 until the end of the test. */
export interface FakeService {
  readonly baseUrl: string;
  readonly requests: Received[];
  /** Replies that are sent before the default ones, in order, by endpoint. */
  readonly script: Record<'token' | 'sync' | 'put', Reply[]>;
}

export const uploadId = '0190b8a0-0000-7000-8000-000000000001';

/** Creates the response of the sync endpoint, with an upload URL below the given base URL. */
export function issued(baseUrl: string, id = uploadId): HttpResponse {
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
  const response = (request: IncomingMessage, response: ServerResponse) =>
    void serve(fake, request, response);
  server.on('request', response);
  server.on('checkContinue', response);
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
  const rejectedUnread = headers.expect !== undefined && typeof scripted === 'object';
  const body = rejectedUnread ? Buffer.alloc(0) : await buffer(request).catch(() => undefined);
  fake.requests.push({ method, path: url, headers, body: body ?? Buffer.alloc(0) });
  if (scripted === 'cut after body') {
    request.socket.destroy();
  }
  if (body === undefined || scripted === 'cut after body' || scripted === 'silent after body') {
    return;
  }
  const stored = scripted === 'damaged' ? Buffer.concat([body.subarray(1), body.subarray(0, 1)]) : body;
  const reply = typeof scripted === 'object' ? scripted : defaultValue(fake, endpoint, stored);
  response.writeHead(reply.status, { ...headersOf[endpoint], ...reply.headers }).end(reply.body ?? '');
}

const ofApi = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'apigw-requestid': 'JKJaXmPLvHcESHA=',
};

/** Headers that API Gateway and S3 send with each response. */
const headersOf = {
  token: ofApi,
  sync: ofApi,
  put: {
    'x-amz-request-id': '4442587FB7D0A2F9',
    'x-amz-id-2': 'vlR7PnpV2Ce81l0PRw6jlUpck7Jo5ZsQjryTjKlc5aLWGVHPZLj5NeC6qMa0emYBDXOo6QBU0Wo=',
  },
};

function endpointOf(method: string, path: string): keyof FakeService['script'] {
  if (method === 'PUT') {
    return 'put';
  }
  return path === '/oauth/token' ? 'token' : 'sync';
}

function defaultValue(
  fake: FakeService,
  endpoint: keyof FakeService['script'],
  stored: Buffer,
): HttpResponse {
  switch (endpoint) {
    case 'token':
      return {
        status: 200,
        body: JSON.stringify({ access_token: 'secret-token', token_type: 'Bearer', expires_in: 3600 }),
      };
    case 'sync':
      return issued(fake.baseUrl);
    case 'put':
      return {
        status: 200,
        headers: {
          etag: `"${md5(stored)}"`,
          'x-amz-server-side-encryption': 'AES256',
          'x-amz-version-id': '3HL4kqtJlcpXroDTDmJ.rmSpXd3dIbrHY',
          'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=',
          'x-amz-checksum-type': 'FULL_OBJECT',
        },
      };
  }
}

export function md5(content: Buffer): string {
  return createHash('md5').update(content).digest('hex');
}
