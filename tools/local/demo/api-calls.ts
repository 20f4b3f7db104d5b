import * as v from 'valibot';

/** Where the API is, and when to give up. */
export interface Api {
  readonly baseUrl: string;
  readonly signal: AbortSignal;
}

const tokenSchema = v.object({
  access_token: v.string(),
  token_type: v.string(),
  expires_in: v.number(),
  scope: v.string(),
});

const uploadUrlSchema = v.object({ data: v.object({ upload_url: v.pipe(v.string(), v.url()) }) });

/** docs/api.md sections 3 and 4. @throws {Error} when no token comes back */
export async function getToken(api: Api, clientId: string, clientSecret: string) {
  // RFC 6749 section 2.3.1: both parts are form-urlencoded.
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':');
  const answer = await send(api, '/oauth/token', {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return v.parse(tokenSchema, JSON.parse(answer));
}

/** docs/api.md section 7. @returns the body */
export function listVolumes(api: Api, token: string): Promise<string> {
  return send(api, '/v0/volumes', { headers: { authorization: `Bearer ${token}` } });
}

/** docs/api.md section 8. */
export async function getUploadUrl(api: Api, token: string, fileId: string): Promise<string> {
  const answer = await send(api, `/v0/files/${fileId}/sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  return v.parse(uploadUrlSchema, JSON.parse(answer)).data.upload_url;
}

async function send({ baseUrl, signal }: Api, path: string, request: RequestInit): Promise<string> {
  const answer = await fetch(`${baseUrl}${path}`, { ...request, signal });
  const body = await answer.text();
  if (!answer.ok) {
    throw new Error(`${request.method ?? 'GET'} ${path} was answered ${answer.status} ${body}`);
  }
  return body;
}
