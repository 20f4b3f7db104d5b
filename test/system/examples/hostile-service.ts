import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Kind, startServer } from './faulty-proxy.ts';
import { credentials, type HostileResponse } from './hostile-responses.ts';

/**
 * Starts a service and its storage, which send one hostile response, and honest ones to the other requests.
 */
export function startHostileService(hostile: HostileResponse) {
  return startServer(async (request, response, { kind, earlier, origin }) => {
    await buffer(request).catch(() => undefined);
    if (kind === hostile.to && (earlier === 0 || hostile.once !== true)) {
      respondWithHostile(response, hostile);
    } else {
      response.end(honest(kind, origin));
    }
  });
}

function respondWithHostile(response: ServerResponse, { status, headers, body }: HostileResponse): void {
  response.on('error', () => undefined);
  response.statusCode = status;
  response.setHeaders(new Map(Object.entries(headers ?? {})));
  if (typeof body === 'string') {
    response.end(body);
  } else {
    body(response);
  }
}

function honest(kind: Kind, baseUrl: string): string {
  if (kind === 'token') {
    return JSON.stringify({ access_token: credentials.token });
  }
  if (kind === 'sync') {
    const query = `X-Amz-Signature=${credentials.signature}`;
    return JSON.stringify({ data: { upload_url: `${baseUrl}/bucket/upload?${query}` } });
  }
  return '';
}
