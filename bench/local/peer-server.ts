/**
 * The peer of the local run: oidc-provider with its adapter in memory, one client, and the client credentials grant.
 * Run as a process of its own. Prints its address.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const { CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...key, kid: 'peer', alg: 'ES256', use: 'sig' }] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      // As this service does, it issues a signed JWT for one audience.
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'https://api.example.com',
        getResourceServerInfo: () => ({
          scope: 'volume:read sync:create',
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    scopes: ['volume:read', 'sync:create'],
  });
  server.on('request', provider.callback());
  process.stdout.write(`${issuer}\n`);
});
