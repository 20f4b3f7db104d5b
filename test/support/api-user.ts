import { type ClientWithSecret, createClient } from '../../tools/operator/clients.ts';
import type { Deployment } from '../../tools/operator/deployment/deployment.ts';
import { createFile } from '../../tools/operator/files.ts';
import { fetchToken } from './fetch-token.ts';

/** An upload URL that was issued, and what its client knows of it. */
export interface IssuedUrl {
  readonly url: string;
  readonly uploadId: string;
  /** Id of the request that it was issued to. */
  readonly requestId: string;
  /** Sends a body to the URL. */
  readonly put: (body: string) => Promise<Response>;
}

/** A client application with both scopes and a token, and the files of its organisation. */
export interface ApiUser {
  readonly client: ClientWithSecret;
  readonly token: string;
  /** Asks for a token, whatever the answer is. */
  readonly requestToken: () => Promise<Response>;
  /** Makes a file with syncing enabled. */
  readonly newFile: () => Promise<string>;
  /** Asks for an upload URL, whatever the answer is. */
  readonly sync: (fileId: string, token?: string) => Promise<Response>;
  /** @throws {Error} when no URL is issued */
  readonly issue: (fileId?: string, token?: string) => Promise<IssuedUrl>;
}

/** Makes a client of a service that runs. */
export async function createApiUser(
  { deployment, baseUrl }: { readonly deployment: Deployment; readonly baseUrl: string },
  organisationId = 'acme',
): Promise<ApiUser> {
  const client = await createClient(deployment, {
    organisationId,
    name: 'Test',
    scopes: ['volume:read', 'sync:create'],
  });
  const { client_id, client_secret } = client;
  const ownToken = await fetchToken(baseUrl, { clientId: client_id, clientSecret: client_secret });
  const newFile = async () =>
    (await createFile(deployment, { organisationId, name: 'f.bin', syncEnabled: true })).file_id;
  const sync = (fileId: string, token = ownToken) =>
    fetch(`${baseUrl}/v0/files/${fileId}/sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
  return {
    client,
    token: ownToken,
    requestToken: () =>
      fetch(`${baseUrl}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
      }),
    newFile,
    sync,
    issue: async (fileId, token) => {
      const answer = await sync(fileId ?? (await newFile()), token);
      if (!answer.ok) {
        throw new Error(`no upload URL: ${answer.status}`);
      }
      const { data } = (await answer.json()) as { readonly data: { readonly upload_url: string } };
      return {
        url: data.upload_url,
        uploadId: new URL(data.upload_url).pathname.split('/').at(-1) ?? '',
        requestId: answer.headers.get('apigw-requestid') ?? '',
        put: (body) => fetch(data.upload_url, { method: 'PUT', body }),
      };
    },
  };
}
