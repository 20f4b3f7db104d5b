import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { accessTokenType } from '../../contract/access-token.ts';
import { newIdentifier } from '../../contract/identifiers.ts';
import { type Route, routeKey, routes, scopes } from '../../contract/routes.ts';
import { digestClientSecret, generateClientSecret } from '../../storage/client-secret.ts';
import { publicJwk, readPrivateJwk } from '../../storage/signing-keys.ts';

/** Environment and data with one client, one file and one key, shared by all contestants. */
export interface Setting {
  /** Environment of every process: the variables of Lambda, of the functions and of the peers. */
  readonly environment: Readonly<Record<string, string>>;
  /** Secrets in Secrets Manager, by ARN. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Item that each table returns, by table name. */
  readonly items: Readonly<Record<string, object>>;
  /** Functions that create an event of each kind. No two access tokens are equal. */
  readonly events: Readonly<Record<EventKind, () => object>>;
}

/** Kinds of events: one for each function that a client waits for, with the name of the function. */
export const eventKinds = ['token', 'volumes', 'sync'] as const;

export type EventKind = (typeof eventKinds)[number];

const kid = 'bench';
const baseUrl = 'https://api.example.com';
const secretArn = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:';

export function createSetting(): Setting {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = readPrivateJwk({ ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256' });
  const clientSecret = generateClientSecret(randomBytes);
  const entry = { jwk: publicJwk(key), state: 'current', since: new Date().toISOString() };
  return {
    environment: {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'ASIAEXAMPLEEXAMPLE12',
      AWS_SECRET_ACCESS_KEY: 's'.repeat(40),
      // Lambda provides session credentials: the token is a signed header of every call.
      AWS_SESSION_TOKEN: 't'.repeat(800),
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      NODE_NO_WARNINGS: '1',
      NODE_ENV: 'production',
      BASE_URL: baseUrl,
      CLIENTS_TABLE_NAME: 'clients',
      FILES_TABLE_NAME: 'files',
      UPLOADS_TABLE_NAME: 'uploads',
      BUCKET_NAME: 'bucket',
      BUCKET_HOST: 'bucket.s3.eu-central-1.amazonaws.com',
      EVENT_BUS_NAME: 'bus',
      SIGNING_KEY_SECRET_ARN: `${secretArn}signing-key`,
      KEY_SET_SECRET_ARN: `${secretArn}key-set`,
      TOKEN_LIFETIME_SECONDS: '3600',
      UPLOAD_SIGNER_ROLE_ARN: 'arn:aws:iam::111122223333:role/upload-signer',
      UPLOAD_RECORD_RETENTION_DAYS: '90',
      METRICS_NAMESPACE: 'file-sync-prod',
    },
    secrets: {
      [`${secretArn}signing-key`]: JSON.stringify({ key }),
      [`${secretArn}key-set`]: JSON.stringify({ keys: [entry] }),
    },
    items: itemsOf(digestClientSecret(clientSecret).toString('hex')),
    events: eventsOf(newIdentifier('client', randomBytes), clientSecret, privateKey),
  };
}

function itemsOf(sha256: string) {
  const text = (S: string) => ({ S });
  return {
    clients: {
      organisation_id: text('acme'),
      status: text('active'),
      scopes: { L: scopes.map(text) },
      secrets: { L: [{ M: { secret_id: text('only'), sha256: text(sha256) } }] },
    },
    files: { organisation_id: text('acme'), sync_enabled: { BOOL: true } },
  };
}

function eventsOf(clientId: string, clientSecret: string, key: KeyObject) {
  const form = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`;
  const bearer = () => ({ authorization: `Bearer ${tokenOf(claimsOf(clientId), key)}` });
  return {
    token: () => ({
      ...httpEvent(routes.token, { 'content-type': 'application/x-www-form-urlencoded' }),
      body: Buffer.from(form).toString('base64'),
      isBase64Encoded: true,
    }),
    volumes: () => httpEvent(routes.volumes, bearer()),
    sync: () => ({
      ...httpEvent(routes.sync, bearer()),
      pathParameters: { fileId: 'orders' },
    }),
  };
}

/** Signs an access token (RFC 7515 section 7.1, RFC 7518 section 3.4). */
function tokenOf(claims: object, key: KeyObject): string {
  const parts = [{ alg: 'ES256', typ: accessTokenType, kid }, claims];
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

function claimsOf(clientId: string) {
  const iat = Math.floor(Date.now() / 1000);
  return {
    iss: baseUrl,
    aud: baseUrl,
    sub: clientId,
    client_id: clientId,
    organisation_id: 'acme',
    scope: scopes.join(' '),
    iat,
    exp: iat + 3600,
    jti: crypto.randomUUID(),
  };
}

/** Format: API Gateway, "AWS Lambda proxy integrations for HTTP APIs", payload format 2.0. */
function httpEvent(route: Route, headers: Readonly<Record<string, string>>) {
  const { method, path } = route;
  return {
    version: '2.0',
    routeKey: routeKey(route),
    rawPath: path,
    rawQueryString: '',
    headers,
    isBase64Encoded: false,
    requestContext: { requestId: 'request', http: { method, path } },
  };
}
