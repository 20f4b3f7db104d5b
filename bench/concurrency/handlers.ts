import { randomUUID } from 'node:crypto';
import { createVerifyAccessToken } from '../../lambdas/shared/access-token.ts';
import { createApiHandler } from '../../lambdas/shared/api-endpoint.ts';
import type { HttpAnswer, HttpEvent } from '../../lambdas/shared/http-messages.ts';
import { importKeySet } from '../../lambdas/shared/verification-keys.ts';
import { generateKey } from '../../lambdas/signing-keys/generate-key.ts';
import { importSigningKeys } from '../../lambdas/token/signing-key.ts';
import { createTokenHandler } from '../../lambdas/token/token-endpoint.ts';
import { volumesEndpoint } from '../../lambdas/volumes/volumes-endpoint.ts';
import { digestClientSecret } from '../../storage/client-secret.ts';
import { publicJwk } from '../../storage/signing-keys.ts';
import { httpEvent } from '../../test/support/http-event.ts';
import { createSetting } from '../setting.ts';
import type { Contender } from './levels.ts';

const baseUrl = 'https://api.example.com';
const log = () => undefined;

/** A sample must take much longer than a collection of garbage does. */
const requests = 20_000;

/** The handlers of `token` and `volumes` in this process, without AWS: the stored client is in memory. */
export async function handlersInProcess(): Promise<readonly Contender[]> {
  const { clientId, clientSecret } = await createSetting();
  const key = await generateKey('ES256');
  const signingKeyAt = await importSigningKeys({ current: key, next: key });
  const scopes = ['volume:read'] as const;
  const secrets = [{ digest: digestClientSecret(clientSecret) }];
  const token = createTokenHandler({
    readClient: async () => ({ organisationId: 'acme', active: true, scopes, secrets }),
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
  const verifyAccessToken = createVerifyAccessToken({ findKey, baseUrl, now: () => new Date() });
  const volumes = createApiHandler(volumesEndpoint, { verifyAccessToken, log });
  const tokenEvent = httpEvent({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`,
  });
  const { access_token } = JSON.parse((await token(tokenEvent)).body ?? '') as { access_token: string };
  const volumesEvent = httpEvent({ headers: { authorization: `Bearer ${access_token}` } });
  return [
    { name: 'token, handler alone', send: sender(token, tokenEvent), used, requests },
    { name: 'volumes, handler alone', send: sender(volumes, volumesEvent), used, requests },
  ];
}

function sender(handler: (event: HttpEvent) => Promise<HttpAnswer>, event: HttpEvent) {
  return async () => {
    const { statusCode } = await handler(event);
    if (statusCode !== 200) {
      throw new Error(`A handler answered ${statusCode}`);
    }
  };
}

async function used(): Promise<number> {
  const { user, system } = process.cpuUsage();
  return user + system;
}
