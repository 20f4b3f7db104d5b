import { expect } from 'vitest';
import {
  forgedSignatures,
  otherSpellings,
  signParts,
  tokenPart,
  validClaims,
} from '../support/forged-token.ts';
import type { Answer } from './support/http.ts';
import { api, test } from './support/test.ts';

/**
 * docs/api.md 6.12 and 6.10: a token has one spelling, and a signature is checked each time. What the suite signs itself
 * carries a true signature over the very text that is sent, so that nothing but the spelling can be the reason.
 */

test('[6.12] refuses every other spelling of the signature of a token', async ({ token }) => {
  const signed = token.slice(0, token.lastIndexOf('.') + 1);
  const spellings = otherSpellings(token.slice(signed.length));
  // The signatures of ES256 and RS256 have 4 unused bits: 15 other characters, and padding.
  expect(spellings.length).toBeGreaterThanOrEqual(17);
  for (const spelling of spellings) {
    expect([spelling, await statusOf(signed + spelling)]).toEqual([spelling, 401]);
  }
  expect(await statusOf(token)).toBe(200);
});

test.for([
  ['header', 1],
  ['header', 2],
  ['claims', 1],
  ['claims', 2],
] as const)(
  '[6.12] refuses every other spelling of the %s, signed as it is sent (%i bytes beyond a multiple of 3)',
  async ([part, beyond], { signingKey }) => {
    const { alg, kid } = signingKey;
    const header = partOfLength({ typ: 'at+jwt', alg, kid }, beyond);
    const claims = partOfLength(validClaims(api.baseUrl), beyond);
    const spellings = otherSpellings(part === 'header' ? header : claims);
    expect(spellings.length).toBeGreaterThanOrEqual(beyond === 1 ? 17 : 4);
    for (const spelling of spellings) {
      const token =
        part === 'header' ? signParts(signingKey, spelling, claims) : signParts(signingKey, header, spelling);
      expect([spelling, await statusOf(token)]).toEqual([spelling, 401]);
    }
    expect(await statusOf(signParts(signingKey, header, claims))).toBe(200);
  },
);

test.for([
  ['b64 true', { b64: true }],
  ['b64 false', { b64: false }],
  ['b64 null', { b64: null }],
  ['b64 true, which crit names', { b64: true, crit: ['b64'] }],
  ['an empty crit', { crit: [] }],
  ['crit null', { crit: null }],
  ['a crit that names what it has', { crit: ['kid'] }],
] as const)('[6.12] refuses a header with %s, though well signed', async ([, members], { signingKey }) => {
  expect(await statusOf(withHeader({ signingKey, members }))).toBe(401);
});

test('[6.12] ignores another member that it does not know (RFC 7515 4)', async ({ signingKey }) => {
  expect(await statusOf(withHeader({ signingKey, members: { unknown: true } }))).toBe(200);
});

/** A verifier that takes one forgery in fifty passes this less than once in 10,000 runs. */
test('[6.10] refuses each of 500 signatures that nobody made, under the claims of a true token', async ({
  token,
}) => {
  const forgeries = forgedSignatures(token, 500);
  const accepted: string[] = [];
  for (let start = 0; start < forgeries.length; start += 20) {
    const some = forgeries.slice(start, start + 20);
    const statuses = await Promise.all(some.map(statusOf));
    accepted.push(...some.filter((_, index) => statuses[index] !== 401));
  }
  expect(accepted).toEqual([]);
});

interface HeaderOptions {
  readonly signingKey: Parameters<typeof signParts>[0];
  readonly members: object;
}

function withHeader({ signingKey, members }: HeaderOptions): string {
  const { alg, kid } = signingKey;
  const header = tokenPart({ typ: 'at+jwt', alg, kid, ...members });
  return signParts(signingKey, header, tokenPart(validClaims(api.baseUrl)));
}

/** JSON may end in spaces (RFC 8259 section 2): so many that `beyond` bytes are left over from groups of three. */
function partOfLength(value: object, beyond: 1 | 2): string {
  const text = JSON.stringify(value);
  const spaces = (3 + beyond - (Buffer.byteLength(text) % 3)) % 3;
  return Buffer.from(text + ' '.repeat(spaces)).toString('base64url');
}

async function statusOf(token: string): Promise<Answer['status']> {
  const answer = await api.call({
    method: 'GET',
    path: '/v0/volumes',
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.status;
}
