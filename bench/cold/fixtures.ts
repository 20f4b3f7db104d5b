import { randomBytes } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { newIdentifier } from '../../contract/identifiers.ts';
import { environmentNames } from '../../lambdas/shared/environment.ts';
import { generateKey } from '../../lambdas/signing-keys/generate-key.ts';
import { digestClientSecret, generateClientSecret } from '../../storage/client-secret.ts';
import { objectKeyOf } from '../../storage/object-key.ts';
import { type PrivateJwk, publicJwk } from '../../storage/signing-keys.ts';
import { createUuidV7 } from '../../storage/uuid-v7.ts';

/** What the contestants of one run share: the environment of their processes, their events, and AWS's answers. */
export interface Fixtures {
  readonly variables: Readonly<Record<string, string>>;
  /** The event of each function, by its name. */
  readonly events: Readonly<Record<FunctionName, unknown>>;
  /** See bench/cold/aws-stub.ts. */
  readonly answers: Readonly<Record<string, string>>;
}

/** The functions whose cold start is measured. */
export const functionNames = ['token', 'volumes', 'sync', 'well-known', 'record-upload'] as const;
export type FunctionName = (typeof functionNames)[number];

const baseUrl = 'https://files.example.com';
const createdAt = '2026-01-01T00:00:00.000Z';

export async function createFixtures(): Promise<Fixtures> {
  const key = await generateKey('ES256');
  const clientId = newIdentifier('client', randomBytes);
  const clientSecret = generateClientSecret(randomBytes);
  const uploadId = createUuidV7(Date.now, randomBytes)();
  return {
    // The peer that is oidc-provider keeps secrets, and not their digests.
    variables: { ...variables, CLIENT_SECRET: clientSecret },
    events: events({ clientId, clientSecret, accessToken: await accessToken(key, clientId), uploadId }),
    answers: answers(key, { clientId, digest: digestClientSecret(clientSecret).toString('hex'), uploadId }),
  };
}

const variables = {
  NODE_NO_WARNINGS: '1',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'example',
  AWS_SESSION_TOKEN: 'example',
  [environmentNames.baseUrl]: baseUrl,
  [environmentNames.clientsTableName]: 'clients',
  [environmentNames.filesTableName]: 'files',
  [environmentNames.uploadsTableName]: 'uploads',
  [environmentNames.bucketName]: 'bucket',
  [environmentNames.signingKeySecretArn]: 'signing-key',
  [environmentNames.keySetSecretArn]: 'key-set',
  [environmentNames.tokenLifetimeSeconds]: '3600',
  [environmentNames.uploadUrlLifetimeSeconds]: '3600',
  [environmentNames.uploadSignerRoleArn]: 'arn:aws:iam::111122223333:role/upload-signer',
  [environmentNames.uploadRecordRetentionDays]: 'forever',
};

async function accessToken(key: PrivateJwk, clientId: string): Promise<string> {
  const claims = { client_id: clientId, organisation_id: 'acme', scope: 'volume:read sync:create', jti: 'x' };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt' })
    .setIssuer(baseUrl)
    .setAudience(baseUrl)
    .setSubject(clientId)
    .setIssuedAt()
    .setExpirationTime('1d')
    .sign(await importJWK(key, key.alg));
}

interface EventInput {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accessToken: string;
  readonly uploadId: string;
}

function events({ clientId, clientSecret, accessToken, uploadId }: EventInput) {
  const bearer = { authorization: `Bearer ${accessToken}` };
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const form = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${basic}`,
  };
  const object = { key: objectKeyOf(uploadId), size: 3, etag: 'etag', 'version-id': 'first' };
  return {
    // `clientId` is what the peer that uses the SDK alone reads.
    token: { ...request('POST /oauth/token', form), body: 'grant_type=client_credentials', clientId },
    volumes: request('GET /v0/volumes', bearer),
    sync: { ...request('POST /v0/files/{fileId}/sync', bearer), pathParameters: { fileId: 'file_1' } },
    'well-known': request('GET /.well-known/jwks.json', {}),
    'record-upload': { time: createdAt, detail: { object } },
  };
}

function request(routeKey: string, headers: Readonly<Record<string, string>>) {
  return { routeKey, headers, isBase64Encoded: false, requestContext: { requestId: 'bench' } };
}

interface AnswerInput {
  readonly clientId: string;
  readonly digest: string;
  readonly uploadId: string;
}

function answers(key: PrivateJwk, { clientId, digest, uploadId }: AnswerInput) {
  const time = { S: createdAt };
  const file = { organisation_id: { S: 'acme' }, sync_enabled: { BOOL: true } };
  const client = {
    organisation_id: { S: 'acme' },
    status: { S: 'active' },
    scopes: { L: [{ S: 'volume:read' }, { S: 'sync:create' }] },
    secrets: { L: [{ M: { sha256: { S: digest } } }] },
  };
  const upload = {
    ...{ upload_id: { S: uploadId }, file_id: { S: 'file_1' }, organisation_id: { S: 'acme' } },
    ...{ client_id: { S: clientId }, key: { S: objectKeyOf(uploadId) }, issued_at: time, expires_at: time },
    state: { S: 'issued' },
  };
  const entry = { jwk: publicJwk(key), state: 'current', since: createdAt };
  return {
    'GetItem clients': JSON.stringify({ Item: client }),
    'GetItem files': JSON.stringify({ Item: file }),
    'GetItem uploads': JSON.stringify({ Item: upload }),
    'PutItem uploads': '{}',
    'UpdateItem uploads': '{}',
    'UpdateItem files': '{}',
    'GetSecretValue signing-key': secret({ current: key, next: key }),
    'GetSecretValue key-set': secret({ keys: [entry] }),
    AssumeRole: assumedRole,
    'GET /bucket': versions(objectKeyOf(uploadId)),
  };
}

function secret(value: unknown): string {
  return JSON.stringify({ SecretString: JSON.stringify(value) });
}

const assumedRole =
  '<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>' +
  '<AccessKeyId>ASIAEXAMPLE</AccessKeyId><SecretAccessKey>example</SecretAccessKey>' +
  '<SessionToken>example</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>' +
  '</Credentials></AssumeRoleResult></AssumeRoleResponse>';

function versions(key: string): string {
  return (
    '<ListVersionsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>false</IsTruncated>' +
    `<Version><Key>${key}</Key><VersionId>first</VersionId></Version></ListVersionsResult>`
  );
}
