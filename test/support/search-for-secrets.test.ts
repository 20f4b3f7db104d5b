import { randomBytes } from 'node:crypto';
import { generateClientSecret } from '../../storage/client-secret.ts';
import type { ProducedSecret } from './produced-secrets.ts';
import { searchForSecrets } from './search-for-secrets.ts';

/** Proves that the search can find secrets, so that an empty result is meaningful. */

const value = `a+b/${randomBytes(30).toString('hex')}`;
const secret: ProducedSecret = { kind: 'session token', value };

function find(text: string, secrets: readonly ProducedSecret[] = [secret]): string[] {
  const { leaks } = searchForSecrets(secrets, [{ name: 'file', bytes: Buffer.from(text) }]);
  return leaks.map(({ what }) => what);
}

test.for([
  ['as it is', value],
  ['percent-encoded', encodeURIComponent(value)],
  // Its position determines its characters in base64.
  ['in base64', Buffer.from(`${value}&x=1`).toString('base64')],
  ['in base64 after one byte', Buffer.from(`x${value}&x=1`).toString('base64')],
  ['in base64url after two bytes', Buffer.from(`xy${value}&x=1`).toString('base64url')],
] as const)('the search finds a recorded secret %s', ([, form]) => {
  expect(find(`before ${form} after`)).toEqual(['session token']);
});

const part = (object: object) => Buffer.from(JSON.stringify(object)).toString('base64url');

test.for([
  ['a token', `${part({ alg: 'ES256', typ: 'at+jwt' })}.${part({ iss: 'https://a' })}.${'s'.repeat(86)}`],
  ['a URL signature', `?X-Amz-Signature=${'0a'.repeat(32)}`],
  ['a session token', `&X-Amz-Security-Token=${'q'.repeat(50)}`],
  ['a private JWK', `{"kty":"EC","d":"${'d'.repeat(43)}"}`],
  ['a private JWK', `"{\\"kty\\":\\"EC\\",\\"d\\":\\"${'d'.repeat(43)}\\"}"`],
  ['a client secret', `secret=${generateClientSecret(randomBytes)}`],
  ['Basic credentials', `authorization: Basic ${Buffer.alloc(60, 'x').toString('base64')}`],
] as const)('the search finds %s that was not recorded', ([what, text]) => {
  expect(find(`before ${text} after`, [])).toContain(`shape of ${what}`);
});
