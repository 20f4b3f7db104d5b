/** Issues a token with oidc-provider, which reads its client and its signing key by the same two calls as `token`. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Provider from 'oidc-provider';
import { scopes } from '../../../contract/routes.ts';
import { type PeerEvent, readSecret, setting } from './environment.ts';
import { readClient } from './items.ts';

const scope = scopes.join(' ');
const started = readSecret('SIGNING_KEY_SECRET_ARN').then(({ key }) => createProvider(key).callback());

async function findClient(clientId: string) {
  const { scope } = await readClient(clientId);
  return {
    client_id: clientId,
    // oidc-provider stores secrets, and not their digests.
    client_secret: setting('CLIENT_SECRET'),
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    id_token_signed_response_alg: 'ES256',
    scope,
  };
}

function createProvider(privateJwk: object): Provider {
  // Only clients are stored: the tokens are JWTs (RFC 9068).
  return new Provider('http://127.0.0.1', {
    adapter: () => ({ find: findClient }),
    jwks: { keys: [privateJwk] },
    scopes: [...scopes],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => setting('BASE_URL'),
        getResourceServerInfo: () => ({
          scope,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 3600,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
}

/**
 * Responds to an event of API Gateway without a network in between, like adapters between Lambda and
 * `node:http`.
 */
export async function handler({ headers, body = '' }: PeerEvent) {
  const respondToRequest = await started;
  const form = Buffer.from(body, 'base64');
  const request = new IncomingMessage(new Socket());
  Object.assign(request, {
    method: 'POST',
    url: '/token',
    headers: { ...headers, host: 'files.example.com', 'content-length': String(form.length) },
  });
  request.push(form);
  request.push(null);
  const response = new ServerResponse(request);
  const responded = new Promise<string>((resolve) => {
    Object.assign(response, { end: (chunk: unknown) => resolve(String(chunk ?? '')) });
  });
  respondToRequest(request, response);
  const text = await responded;
  return { statusCode: response.statusCode, body: text };
}
