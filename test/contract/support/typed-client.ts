import createClient from 'openapi-fetch';
import type { ClientCredentials } from '../../support/deployment.ts';
import type { operations, paths } from '../openapi-types.ts';
import { basic, formType } from './token-request.ts';

/** Everything that a caller needs for one call of each operation. */
export interface Caller {
  readonly baseUrl: string;
  readonly client: ClientCredentials;
  readonly token: string;
  readonly fileId: string;
}

/**
 * One call of every operation of the description, through types made from it. The type of the result names them
 * all: one that is missing here, or that no longer exists, does not compile.
 */
export async function callEveryOperation(
  caller: Caller,
): Promise<Readonly<Record<keyof operations, number>>> {
  const api = createClient<paths>({ baseUrl: caller.baseUrl });
  const bearer = { authorization: `Bearer ${caller.token}` };

  const token = await api.POST('/oauth/token', {
    headers: { authorization: basic(caller.client), 'content-type': formType },
    body: { grant_type: 'client_credentials', scope: 'volume:read' },
  });
  const volumes = await api.GET('/v0/volumes', { headers: bearer });
  const sync = await api.POST('/v0/files/{fileId}/sync', {
    headers: bearer,
    params: { path: { fileId: caller.fileId } },
  });
  const metadata = await api.GET('/.well-known/openid-configuration');
  const keySet = await api.GET('/.well-known/jwks.json');
  const document = await api.GET('/v0/openapi.json');

  // Reading members shows that the types have them; the values are checked elsewhere.
  requireText(token.data?.access_token, token.data?.scope, sync.data?.data.upload_url, metadata.data?.issuer);
  requireText(...(volumes.data?.data ?? []).flatMap(({ id, name }) => [id, name]));
  requireText(...(keySet.data?.keys ?? []).map(({ kid }) => kid));
  return {
    createToken: token.response.status,
    listVolumes: volumes.response.status,
    createFileSync: sync.response.status,
    getIssuerMetadata: metadata.response.status,
    getKeySet: keySet.response.status,
    getOpenApiDocument: document.response.status,
  };
}

function requireText(...values: readonly (string | undefined)[]): void {
  if (values.some((value) => value === undefined || value === ''))
    throw new Error('A typed answer lacks a member that its type promises');
}
