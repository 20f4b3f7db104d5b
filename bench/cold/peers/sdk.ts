/**
 * Issues a token with two bare SDK clients and jose: reads the client, reads the signing key, signs. It checks nothing.
 * Peer of the cold start of `token`.
 */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { importJWK, SignJWT } from 'jose';
import { setting } from '../../programs/serve.ts';

const dynamodb = new DynamoDBClient();
const secretsManager = new SecretsManagerClient();

/** @param event of API Gateway, with the form in base64 */
export async function handler(event: { readonly body: string }) {
  const clientId = new URLSearchParams(Buffer.from(event.body, 'base64').toString()).get('client_id') ?? '';
  const [{ Item: item }, { SecretString: secret = '' }] = await Promise.all([
    dynamodb.send(
      new GetItemCommand({
        TableName: setting('CLIENTS_TABLE_NAME'),
        Key: { client_id: { S: clientId } },
        ConsistentRead: true,
      }),
    ),
    secretsManager.send(new GetSecretValueCommand({ SecretId: setting('SIGNING_KEY_SECRET_ARN') })),
  ]);
  const { current } = JSON.parse(secret);
  const token = await new SignJWT({ sub: clientId, organisation_id: item?.organisation_id?.S })
    .setProtectedHeader({ alg: current.alg, kid: current.kid })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(await importJWK(current, current.alg));
  return { statusCode: 200, body: JSON.stringify({ access_token: token }) };
}
