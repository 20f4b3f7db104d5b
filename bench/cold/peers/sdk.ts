/**
 * Issues a token with two bare SDK clients and jose: reads the client, reads the signing key, signs. It checks nothing.
 * Peer of the cold start of `token`.
 */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { importJWK, SignJWT } from 'jose';

const dynamodb = new DynamoDBClient();
const secretsManager = new SecretsManagerClient();

export async function handler(event: { readonly clientId: string }) {
  const [{ Item: item }, { SecretString: secret = '' }] = await Promise.all([
    dynamodb.send(
      new GetItemCommand({
        TableName: 'clients',
        Key: { client_id: { S: event.clientId } },
        ConsistentRead: true,
      }),
    ),
    secretsManager.send(new GetSecretValueCommand({ SecretId: 'signing-key' })),
  ]);
  const { current } = JSON.parse(secret);
  const token = await new SignJWT({ sub: event.clientId, organisation_id: item?.organisation_id?.S })
    .setProtectedHeader({ alg: current.alg, kid: current.kid })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(await importJWK(current, current.alg));
  return { statusCode: 200, body: JSON.stringify({ access_token: token }) };
}
