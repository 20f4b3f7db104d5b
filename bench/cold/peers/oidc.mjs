/**
 * Issues a token with oidc-provider. It reads its client and its signing key by the same two calls as the function.
 * Peer of the cold start of `token`. (The package has no types, so this is plain JavaScript.)
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import Provider from 'oidc-provider';

const dynamodb = new DynamoDBClient();
const secretsManager = new SecretsManagerClient();
// Read while the rest of the module loads.
const signingKey = secretsManager
  .send(new GetSecretValueCommand({ SecretId: 'signing-key' }))
  .then(({ SecretString }) => JSON.parse(SecretString).current);
const resource = 'https://files.example.com';
const scope = 'volume:read sync:create';

/** Reads clients. It stores nothing: oidc-provider does not store an access token that is a JWT. */
class ClientAdapter {
  #model;
  constructor(model) {
    this.#model = model;
  }
  async find(id) {
    if (this.#model !== 'Client') {
      return undefined;
    }
    const read = { TableName: 'clients', Key: { client_id: { S: id } }, ConsistentRead: true };
    const { Item: item } = await dynamodb.send(new GetItemCommand(read));
    return (
      item && {
        client_id: id,
        client_secret: process.env.CLIENT_SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
        scope,
      }
    );
  }
}

const configuration = {
  adapter: ClientAdapter,
  scopes: scope.split(' '),
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 3600,
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
};

async function start() {
  const provider = new Provider(resource, { ...configuration, jwks: { keys: [await signingKey] } });
  return provider.callback();
}

const started = start();

/** Answers an event of API Gateway, as adapters between Lambda and `node:http` do: without a network between them. */
export async function handler({ headers, body }) {
  const answerRequest = await started;
  const request = new IncomingMessage(new Socket());
  Object.assign(request, {
    method: 'POST',
    url: '/token',
    headers: { ...headers, host: 'files.example.com', 'content-length': String(body.length) },
  });
  request.push(body);
  request.push(null);
  const response = new ServerResponse(request);
  const answered = new Promise((resolve) => {
    response.end = (chunk) => resolve(String(chunk ?? ''));
  });
  answerRequest(request, response);
  const text = await answered;
  return { statusCode: response.statusCode, body: text };
}
