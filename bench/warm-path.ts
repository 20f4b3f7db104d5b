/**
 * Measures how much CPU time our code takes for one warm request, without reading the stored client: the whole of
 * `token` and `volumes`, for both algorithms, as a ratio to one ES256 signature.
 *
 *     npm run bench -- warm-path
 */
import { createPrivateKey, randomBytes, randomUUID, sign } from 'node:crypto';
import { type SigningAlgorithm, signingAlgorithms } from '../contract/access-token.ts';
import { scopes } from '../contract/scopes.ts';
import { createVerifyAccessToken } from '../lambdas/shared/access-token.ts';
import { createApiHandler } from '../lambdas/shared/api-endpoint.ts';
import type { HttpAnswer, HttpEvent } from '../lambdas/shared/http-messages.ts';
import { importKeySet } from '../lambdas/shared/verification-keys.ts';
import { generateKey } from '../lambdas/signing-keys/generate-key.ts';
import { importSigningKeys } from '../lambdas/token/signing-key.ts';
import { createTokenHandler } from '../lambdas/token/token-endpoint.ts';
import { volumesEndpoint } from '../lambdas/volumes/volumes-endpoint.ts';
import { digestClientSecret, generateClientSecret } from '../storage/client-secret.ts';
import { type PrivateJwk, publicJwk } from '../storage/signing-keys.ts';
import { type Contestant, compare, printComparison } from './compare.ts';

const baseUrl = 'https://api.example.com';
const clientSecret = generateClientSecret(randomBytes);
const log = () => undefined;
const [perSample, rounds] = [200, 15];

const keys: Readonly<Record<SigningAlgorithm, PrivateJwk>> = {
  ES256: await generateKey('ES256'),
  RS256: await generateKey('RS256'),
};

const tokenRequest: HttpEvent = {
  ...request('POST /oauth/token', {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`client:${clientSecret}`).toString('base64')}`,
  }),
  body: Buffer.from('grant_type=client_credentials').toString('base64'),
  isBase64Encoded: true,
};

const contestants: Contestant[] = [bareSignature('ES256'), bareSignature('RS256')];
for (const algorithm of signingAlgorithms) {
  contestants.push(...(await requests(algorithm)));
}
const title = `One warm request (mean of ${perSample}, median of ${rounds})`;
printComparison(title, await compare(contestants, rounds));

function bareSignature(algorithm: SigningAlgorithm): Contestant {
  const jwk = keys[algorithm];
  const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  const message = randomBytes(400);
  return contestant(`a bare ${algorithm} signature`, async () => {
    sign('sha256', message, { key, dsaEncoding: 'ieee-p1363' });
  });
}

async function requests(algorithm: SigningAlgorithm): Promise<readonly Contestant[]> {
  const key = keys[algorithm];
  const signingKeyAt = await importSigningKeys({ current: key, next: key });
  const digest = digestClientSecret(clientSecret);
  const token = createTokenHandler({
    readClient: async () => ({ organisationId: 'acme', active: true, scopes, secrets: [{ digest }] }),
    signingKeys: async () => signingKeyAt,
    baseUrl,
    lifetimeSeconds: 3600,
    now: Date.now,
    newTokenId: randomUUID,
    log,
  });
  const entry = { jwk: publicJwk(key), state: 'current', since: new Date().toISOString() } as const;
  const published = await importKeySet({ keys: [entry] });
  const findKey = async (kid: string) => published.keys.get(kid);
  const now = () => new Date();
  const volumes = createApiHandler(volumesEndpoint, {
    verifyAccessToken: createVerifyAccessToken({ findKey, baseUrl, now }),
    log,
  });
  const { access_token } = JSON.parse((await succeed(token(tokenRequest))).body ?? '');
  const volumesRequest = request('GET /v0/volumes', { authorization: `Bearer ${access_token}` });
  return [
    contestant(`token, ${algorithm}`, () => succeed(token(tokenRequest))),
    contestant(`volumes, ${algorithm}`, () => succeed(volumes(volumesRequest))),
  ];
}

function request(routeKey: string, headers: Readonly<Record<string, string>>): HttpEvent {
  return {
    routeKey,
    headers: { ...headers },
    isBase64Encoded: false,
    requestContext: { requestId: 'bench' },
  };
}

async function succeed(answer: Promise<HttpAnswer>): Promise<HttpAnswer> {
  const given = await answer;
  if (given.statusCode !== 200) {
    throw new Error(`A request was answered with ${given.statusCode}`);
  }
  return given;
}

function contestant(name: string, action: () => Promise<unknown>): Contestant {
  const sample = async () => {
    const start = performance.now();
    for (let index = 0; index < perSample; index += 1) {
      await action();
    }
    return (performance.now() - start) / perSample;
  };
  return { name, sample };
}
