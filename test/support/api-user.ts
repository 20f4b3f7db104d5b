import { createClient } from '../../tools/operator/clients/client.ts';
import type { Deployment } from '../../tools/operator/deployment/deployment.ts';
import { createFile } from '../../tools/operator/files/file.ts';
import { fetchToken } from './fetch-token.ts';

export type ApiUser = Awaited<ReturnType<typeof createApiUser>>;

/** An issued upload URL and its upload. */
export type IssuedUrl = Awaited<ReturnType<ApiUser['issue']>>;

/**
 * Creates a client application of a running service, with both scopes and a token, and files of its
 * organisation.
 */
export async function createApiUser(
  {
    deployment,
    eventsSettled,
  }: { readonly deployment: Deployment; readonly eventsSettled?: () => Promise<void> },
  organisationId = 'acme',
) {
  const baseUrl = deployment.outputs.BaseUrl;
  const client = await createClient(deployment, {
    organisationId,
    name: 'Test',
    scopes: ['volume:read', 'sync:create'],
  });
  const { client_id, client_secret } = client;
  const newToken = () => fetchToken(baseUrl, { clientId: client_id, clientSecret: client_secret });
  const ownToken = await newToken();
  const newFile = async () =>
    (await createFile(deployment, { organisationId, name: 'f.bin', syncEnabled: true })).file_id;
  const sync = (fileId: string, token = ownToken) =>
    fetch(`${baseUrl}/v0/files/${fileId}/sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
  const issue = async (fileId?: string, token?: string) => {
    const response = await sync(fileId ?? (await newFile()), token);
    if (!response.ok) {
      throw new Error(`no upload URL: ${response.status}`);
    }
    const { data } = (await response.json()) as { readonly data: { readonly upload_url: string } };
    return {
      url: data.upload_url,
      uploadId: new URL(data.upload_url).pathname.split('/').at(-1) ?? '',
      /** Id of the request that returned the URL. */
      requestId: response.headers.get('apigw-requestid') ?? '',
      put: (body: string) => fetch(data.upload_url, { method: 'PUT', body }),
    };
  };
  return {
    client,
    token: ownToken,
    newToken,
    /** Requests a token with the given members of the form, and returns any response. */
    requestToken: (changes: Readonly<Record<string, string>> = {}) =>
      fetch(`${baseUrl}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, ...changes }),
      }),
    /** Requests the volumes, and returns any response. */
    volumes: (token = ownToken) =>
      fetch(`${baseUrl}/v0/volumes`, { headers: { authorization: `Bearer ${token}` } }),
    /** Creates a file with syncing enabled. */
    newFile,
    /** Requests an upload URL, and returns any response. */
    sync,
    /** Requests an upload URL, by default for a new file. @throws {Error} if no URL is issued */
    issue,
    /** Uploads content, by default of a new file, and waits until the stack has delivered its event. */
    store: async (content: string, fileId?: string) => {
      const issued = await issue(fileId);
      expect((await issued.put(content)).status).toBe(200);
      await eventsSettled?.();
      return issued;
    },
  };
}
