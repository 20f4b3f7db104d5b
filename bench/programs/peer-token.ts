/** The least that issues a token with the SDK and jose: one GetItem and one signature. It does not check the secret. */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { importJWK, SignJWT } from 'jose';
import { awsConfig, readBody, serve, setting } from './serve.ts';

const dynamodb = new DynamoDBClient(awsConfig());
const jwk = JSON.parse(setting('PRIVATE_JWK'));
const key = await importJWK(jwk, jwk.alg);
const baseUrl = setting('BASE_URL');

serve(async (request, response) => {
  const form = new URLSearchParams(await readBody(request));
  const clientId = form.get('client_id') ?? '';
  const { Item: item } = await dynamodb.send(
    new GetItemCommand({
      TableName: setting('CLIENTS_TABLE_NAME'),
      Key: { client_id: { S: clientId } },
      ConsistentRead: true,
    }),
  );
  const scope = (item?.scopes?.L ?? []).map(({ S }) => S).join(' ');
  const token = await new SignJWT({ client_id: clientId, organisation_id: item?.organisation_id?.S, scope })
    .setProtectedHeader({ alg: jwk.alg, typ: 'at+jwt', kid: jwk.kid })
    .setIssuer(baseUrl)
    .setAudience(baseUrl)
    .setSubject(clientId)
    .setIssuedAt()
    .setExpirationTime('1h')
    .setJti(crypto.randomUUID())
    .sign(key);
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3600, scope }));
});
