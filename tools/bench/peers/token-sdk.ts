/**
 * Minimal code that issues a token with bare SDK clients and jose: one GetItem and one signature. It does not
 * check the secret.
 */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { importJWK, SignJWT } from 'jose';
import { formOf, type PeerEvent, readSecret, setting } from './environment.ts';

const dynamodb = new DynamoDBClient();
const signer = readSecret('SIGNING_KEY_SECRET_ARN').then(async ({ key }) => ({
  alg: key.alg,
  kid: key.kid,
  key: await importJWK(key, key.alg),
}));
const baseUrl = setting('BASE_URL');

export async function handler(event: PeerEvent) {
  const clientId = formOf(event).get('client_id') ?? '';
  const read = new GetItemCommand({
    TableName: setting('CLIENTS_TABLE_NAME'),
    Key: { client_id: { S: clientId } },
    ConsistentRead: true,
  });
  const { Item: item } = await dynamodb.send(read);
  const { alg, kid, key } = await signer;
  const scope = (item?.scopes?.L ?? []).map(({ S }) => S).join(' ');
  const token = await new SignJWT({ client_id: clientId, organisation_id: item?.organisation_id?.S, scope })
    .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
    .setIssuer(baseUrl)
    .setAudience(baseUrl)
    .setSubject(clientId)
    .setIssuedAt()
    .setExpirationTime('1h')
    .setJti(crypto.randomUUID())
    .sign(key);
  return { statusCode: 200, body: JSON.stringify({ access_token: token, scope }) };
}
