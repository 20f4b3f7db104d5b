/** oidc-provider as a peer of `token`: it reads its client by one GetItem and issues a JWT access token (RFC 9068). */
import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import Provider, { type Adapter } from 'oidc-provider';
import { setting } from './serve.ts';

const scope = 'volume:read sync:create';

/** Nothing but clients is ever stored: the tokens are JWTs. */
function clientsInDynamodb(dynamodb: DynamoDBClient): Adapter {
  const notStored = async () => undefined;
  return {
    upsert: notStored,
    findByUserCode: notStored,
    findByUid: notStored,
    consume: notStored,
    destroy: notStored,
    revokeByGrantId: notStored,
    find: async (clientId) => {
      const { Item: item } = await dynamodb.send(
        new GetItemCommand({
          TableName: setting('CLIENTS_TABLE_NAME'),
          Key: { client_id: { S: clientId } },
          ConsistentRead: true,
        }),
      );
      return {
        client_id: clientId,
        // It keeps secrets, and not their digests.
        client_secret: setting('CLIENT_SECRET'),
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
        scope: (item?.scopes?.L ?? []).map(({ S }) => S).join(' '),
      };
    },
  };
}

/** @param privateJwk the key that signs */
export function createOidcProvider(dynamodb: DynamoDBClient, privateJwk: object): Provider {
  return new Provider('http://127.0.0.1', {
    adapter: () => clientsInDynamodb(dynamodb),
    jwks: { keys: [privateJwk] },
    scopes: scope.split(' '),
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
