import { createHmac, createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttackedService } from '../support/attacked-service.ts';
import {
  type Changes,
  forgedSignatures,
  otherSpellings,
  signParts,
  tokenPart,
  validClaims,
} from '../support/forged-token.ts';
import { startInProcessService } from '../support/in-process-service.ts';
import { fetchTokens } from '../support/true-tokens.ts';

/**
 * Tokens that are wrong in one thing alone, at both endpoints. The log must name that thing: a refusal for another
 * reason would hide that the check is gone.
 */

let service: AttackedService;

beforeAll(async () => {
  service = await startInProcessService();
});

afterAll(() => service.close());

const seconds = () => Math.floor(Date.now() / 1000);

/** A token with a true signature of a published key. */
function wellSigned({ header, claims }: Changes): string {
  const { alg, kid } = service.signingKey;
  return signParts(
    service.signingKey,
    tokenPart({ typ: 'at+jwt', alg, kid, ...header }),
    tokenPart({ ...validClaims(service.baseUrl), organisation_id: 'acme', ...claims }),
  );
}

/** Statuses of both endpoints, and the reasons that they logged. */
async function present(token: string) {
  const before = (await service.logLines()).length;
  const headers = { authorization: `Bearer ${token}` };
  const volumes = await fetch(`${service.baseUrl}/v0/volumes`, { headers });
  const sync = await fetch(`${service.baseUrl}/v0/files/${service.file}/sync`, { method: 'POST', headers });
  await Promise.all([volumes.arrayBuffer(), sync.arrayBuffer()]);
  const logged = (await service.logLines()).slice(before).map((line) => JSON.parse(line) as object);
  const reasons = logged.flatMap((line) => ('reason' in line ? [String(line.reason)] : []));
  return { statuses: [volumes.status, sync.status], reasons };
}

async function expectRefused(token: string, reason: string): Promise<void> {
  expect(await present(token)).toEqual({ statuses: [401, 401], reasons: [reason, reason] });
}

describe('a token of a published key', () => {
  test('opens both endpoints when nothing is wrong: the base of the cases below', async () => {
    expect(await present(wellSigned({}))).toEqual({ statuses: [200, 200], reasons: [] });
  });

  test.each([
    ['aud', 'another audience', { aud: 'https://other.example.com' }],
    ['aud', 'other audiences', { aud: ['https://other.example.com', 'https://api.example.com'] }],
    ['aud', 'no audience', { aud: undefined }],
    ['iss', 'another issuer', { iss: 'https://other.example.com' }],
    ['iss', 'no issuer', { iss: undefined }],
    ['exp', 'no expiry', { exp: undefined }],
    ['exp', 'an expiry that is no number', { exp: '9999999999' }],
    ['iat', 'no time of issue', { iat: undefined }],
    ['nbf', 'a start in an hour', { nbf: seconds() + 3600 }],
  ])('is refused for its %s: %s', async (claim, _, claims) => {
    await expectRefused(wellSigned({ claims }), `ERR_JWT_CLAIM_VALIDATION_FAILED: ${claim}`);
  });

  test('is refused once it has expired', async () => {
    const claims = { iat: seconds() - 3600, exp: seconds() - 1 };
    await expectRefused(wellSigned({ claims }), 'ERR_JWT_EXPIRED');
  });

  test.each(['JWT', 'id_token+jwt', 'at+jwt2', 'xat+jwt', '', undefined])(
    'is refused for its typ: %j',
    async (typ) => {
      await expectRefused(wellSigned({ header: { typ } }), 'ERR_JWT_CLAIM_VALIDATION_FAILED: typ');
    },
  );

  test.each(['none', 'HS256', 'RS256', 'PS256', 'ES384', 'ES256K', 'EdDSA', 'es256', 1])(
    'is refused for its alg, which is not the one of its key: %j',
    async (alg) => {
      const reason = typeof alg === 'string' ? 'ERR_JOSE_ALG_NOT_ALLOWED' : 'ERR_JWS_INVALID';
      await expectRefused(wellSigned({ header: { alg } }), reason);
    },
  );

  test.each(['sub', 'client_id', 'organisation_id', 'scope', 'jti'])(
    'is refused without %s',
    async (claim) => {
      await expectRefused(wellSigned({ claims: { [claim]: undefined } }), 'The token lacks a claim');
    },
  );

  test.each(['b64', 'crit'])('is refused with %s in its header, whatever its value', async (member) => {
    for (const value of [true, false, null, [], ['b64'], 'kid']) {
      await expectRefused(
        wellSigned({ header: { [member]: value } }),
        `The header of the token has ${member}`,
      );
    }
  });

  test('is refused in every other spelling', async () => {
    const token = wellSigned({});
    const signed = token.slice(0, token.lastIndexOf('.') + 1);
    const spellings = otherSpellings(token.slice(signed.length));
    expect(spellings.length).toBeGreaterThanOrEqual(17);
    for (const spelling of spellings) {
      const reason = 'The token is not three parts in base64url, each in its one spelling';
      await expectRefused(signed + spelling, reason);
    }
  });
});

describe('a token that nobody signed', () => {
  test.each(['JWK', 'PEM'])('is refused under an HMAC with the public key (%s)', async (form) => {
    const { jwk, kid } = service.signingKey;
    const { d: _, ...publicJwk } = jwk;
    const pem = createPublicKey({ key: { ...publicJwk }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
    const input = `${tokenPart({ typ: 'at+jwt', alg: 'HS256', kid })}.${tokenPart(validClaims(service.baseUrl))}`;
    const secret = form === 'JWK' ? JSON.stringify(publicJwk) : pem;
    const signature = createHmac('sha256', secret).update(input).digest('base64url');
    await expectRefused(`${input}.${signature}`, 'ERR_JOSE_ALG_NOT_ALLOWED');
  });

  /** A verifier that takes one forgery in fifty passes this less than once in 10,000 runs. */
  test('is refused each of 500 times, with the claims of a true token', async () => {
    const { client } = await fetchTokens(service);
    const accepted: string[] = [];
    for (const forgery of forgedSignatures(client, 500)) {
      const headers = { authorization: `Bearer ${forgery}` };
      const answer = await fetch(`${service.baseUrl}/v0/volumes`, { headers });
      await answer.arrayBuffer();
      accepted.push(...(answer.status === 401 ? [] : [forgery]));
    }
    expect(accepted).toEqual([]);
    expect((await present(client)).statuses).toEqual([200, 200]);
  });
});
