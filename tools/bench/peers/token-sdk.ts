/**
 * Minimal code that issues a token with bare SDK clients and jose: one GetItem and one signature. It does not
 * check the secret.
 */
import { importJWK, SignJWT } from 'jose';
import { formOf, type PeerEvent, readSecret, setting } from './environment.ts';
import { readClient } from './items.ts';

const signer = readSecret('SIGNING_KEY_SECRET_ARN').then(async ({ key }) => ({
  alg: key.alg,
  kid: key.kid,
  key: await importJWK(key, key.alg),
}));
const baseUrl = setting('BASE_URL');

export async function handler(event: PeerEvent) {
  const clientId = formOf(event).get('client_id') ?? '';
  const { item, scope } = await readClient(clientId);
  const { alg, kid, key } = await signer;
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
