import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { routes, syncPathOf } from '../../../contract/routes.ts';

/**
 * Creates a client application for the demonstration and for `npm run verify`. docs/api.md describes each of
 * its calls.
 */
export function createApiClient(baseUrl: string, fetch: Fetch) {
  const call = async (path: string, method: 'GET' | 'POST', authorization: string, body?: URLSearchParams) =>
    (await send(fetch, `${baseUrl}${path}`, { method, headers: { authorization }, body: body ?? null })).body;
  return {
    getToken: async (clientId: string, clientSecret: string) => {
      const form = new URLSearchParams({ grant_type: 'client_credentials' });
      // Ids and secrets of the service contain no character that RFC 6749 section 2.3.1 encodes.
      const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
      const response = await call(routes.token.path, 'POST', `Basic ${credentials}`, form);
      return v.parse(tokenSchema, JSON.parse(response));
    },
    /** @returns body of the response */
    listVolumes: (token: string) => call(routes.volumes.path, 'GET', `Bearer ${token}`),
    getUploadUrl: async (token: string, fileId: string) => {
      const response = await call(syncPathOf(fileId), 'POST', `Bearer ${token}`);
      return v.parse(uploadUrlSchema, JSON.parse(response)).data.upload_url;
    },
    /** @returns status of the response */
    put: async (uploadUrl: string, content: Buffer) =>
      (await send(fetch, uploadUrl, { method: 'PUT', body: new Uint8Array(content) })).status,
  };
}

const tokenSchema = v.object({
  access_token: v.string(),
  token_type: v.string(),
  expires_in: v.number(),
  scope: v.string(),
});

const uploadUrlSchema = v.object({ data: v.object({ upload_url: v.pipe(v.string(), v.url()) }) });

type Fetch = (url: string, request: RequestInit) => Promise<Response>;

/** @throws {Error} if the response is not a 2xx */
async function send(fetch: Fetch, url: string, request: RequestInit) {
  const response = await fetch(url, request);
  const body = await response.text();
  if (!response.ok) {
    const { origin, pathname } = new URL(url);
    throw new Error(`${request.method} ${origin}${pathname} got ${response.status} ${body}`);
  }
  return { status: response.status, body };
}

/** Returns the SHA-256 in lower-case hexadecimal. */
export function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Describes an upload URL for people: its origin and its lifetime. */
export function describeUploadUrl(uploadUrl: string): string {
  const { origin, searchParams } = new URL(uploadUrl);
  return `a URL at ${origin}, good for one PUT within ${searchParams.get('X-Amz-Expires')} s`;
}
