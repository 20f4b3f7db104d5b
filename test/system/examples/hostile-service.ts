import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Kind, kindOf, type SeenRequest } from './faulty-proxy.ts';
import { credentials, type HostileAnswer } from './hostile-answers.ts';

/** A service and its storage, which give one hostile answer, and honest ones to the other requests. */
export async function startHostileService(hostile: HostileAnswer) {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const kind = kindOf(request.method, path);
    const isFirst = seen.every((one) => one.kind !== kind);
    seen.push({ kind, path, headers: request.headers });
    await buffer(request).catch(() => undefined);
    if (kind === hostile.to && (isFirst || hostile.once !== true)) {
      answerHostile(response, hostile, baseUrl);
    } else {
      response.end(honest(kind, path, baseUrl));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { baseUrl, seen, close };
}

function answerHostile(
  response: ServerResponse,
  { status, headers, body }: HostileAnswer,
  origin: string,
): void {
  response.on('error', () => undefined);
  response.statusCode = status ?? 200;
  response.setHeaders(new Map(Object.entries(headers ?? {})));
  if (typeof body === 'string') {
    response.end(body);
  } else {
    body(origin, response);
  }
}

function honest(kind: Kind, path: string, baseUrl: string): string {
  if (kind === 'token') {
    return JSON.stringify({ access_token: credentials.token });
  }
  if (kind === 'sync') {
    const query = `X-Amz-Signature=${credentials.signature}`;
    return JSON.stringify({ data: { upload_url: `${baseUrl}/bucket/upload?${query}` } });
  }
  return path === '/v0/volumes' ? '{"data":[]}' : '';
}
