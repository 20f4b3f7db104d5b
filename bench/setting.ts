import { randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { importJWK } from 'jose/key/import';
import { accessTokenType } from '../contract/access-token.ts';
import { newIdentifier } from '../contract/identifiers.ts';
import { generateKey } from '../lambdas/signing-keys/generate-key.ts';
import { digestClientSecret, generateClientSecret } from '../storage/client-secret.ts';
import { type PrivateJwk, publicJwk } from '../storage/signing-keys.ts';

/** One client, one file and one key, as all contestants see them. */
export interface Setting {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fileId: string;
  /** Environment of every process: that of Lambda, that of the functions, and what the peers and the stub need. */
  readonly environment: Readonly<Record<string, string>>;
  /** Signs access tokens like `token` does. No two are equal. */
  readonly newToken: () => Promise<string>;
}

const baseUrl = 'https://api.example.com';
const secretArn = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:';
const scopes = ['volume:read', 'sync:create'];

export async function createSetting(): Promise<Setting> {
  const key = await generateKey('ES256');
  const clientId = newIdentifier('client', randomBytes);
  const clientSecret = generateClientSecret(randomBytes);
  return {
    clientId,
    clientSecret,
    fileId: newIdentifier('file', randomBytes),
    environment: environmentOf(key, clientSecret),
    newToken: await tokenMaker(key, clientId),
  };
}

function environmentOf(key: PrivateJwk, clientSecret: string): Readonly<Record<string, string>> {
  const entry = { jwk: publicJwk(key), state: 'current', since: new Date().toISOString() };
  return {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'ASIAEXAMPLEEXAMPLE12',
    AWS_SECRET_ACCESS_KEY: 's'.repeat(40),
    // Lambda gives session credentials: the token is a signed header of every call.
    AWS_SESSION_TOKEN: 't'.repeat(800),
    BASE_URL: baseUrl,
    CLIENTS_TABLE_NAME: 'clients',
    FILES_TABLE_NAME: 'files',
    UPLOADS_TABLE_NAME: 'uploads',
    BUCKET_NAME: 'bucket',
    EVENT_BUS_NAME: 'bus',
    SIGNING_KEY_SECRET_ARN: `${secretArn}signing-key`,
    KEY_SET_SECRET_ARN: `${secretArn}key-set`,
    TOKEN_LIFETIME_SECONDS: '3600',
    UPLOAD_URL_LIFETIME_SECONDS: '3600',
    UPLOAD_SIGNER_ROLE_ARN: 'arn:aws:iam::111122223333:role/upload-signer',
    UPLOAD_RECORD_RETENTION_DAYS: '90',
    METRICS_NAMESPACE: 'file-sync-prod',
    CLIENT_SECRET: clientSecret,
    PRIVATE_JWK: JSON.stringify(key),
    PUBLIC_JWK: JSON.stringify(publicJwk(key)),
    SECRETS: JSON.stringify({
      [`${secretArn}signing-key`]: JSON.stringify({ current: key, next: key }),
      [`${secretArn}key-set`]: JSON.stringify({ keys: [entry] }),
    }),
    ITEMS: JSON.stringify(itemsOf(clientSecret)),
  };
}

function itemsOf(clientSecret: string) {
  const digest = digestClientSecret(clientSecret).toString('hex');
  return {
    clients: {
      organisation_id: { S: 'acme' },
      status: { S: 'active' },
      scopes: { L: scopes.map((scope) => ({ S: scope })) },
      secrets: { L: [{ M: { sha256: { S: digest } } }] },
    },
    files: { organisation_id: { S: 'acme' }, sync_enabled: { BOOL: true } },
  };
}

async function tokenMaker(jwk: PrivateJwk, clientId: string): Promise<() => Promise<string>> {
  const key = await importJWK(jwk, jwk.alg);
  return () =>
    new SignJWT({ client_id: clientId, organisation_id: 'acme', scope: scopes.join(' ') })
      .setProtectedHeader({ alg: jwk.alg, typ: accessTokenType, kid: jwk.kid })
      .setIssuer(baseUrl)
      .setAudience(baseUrl)
      .setSubject(clientId)
      .setIssuedAt()
      .setExpirationTime('1h')
      .setJti(randomUUID())
      .sign(key);
}
