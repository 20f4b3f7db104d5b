import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto';
import fc from 'fast-check';
import { decodeProtectedHeader } from 'jose';
import { tokenPart, validClaims } from '../../support/forged-token.ts';
import { headerBytes, hostileText, mutation } from '../../support/hostile-text.ts';
import { type AttackOptions, attack, jsonOf, require, requireFixedRefusal } from './attack.ts';
import type { AttackedService } from './attacked-service.ts';

const json = fc.jsonValue({ maxDepth: 3 });

/** Members of a header that tell a careless verifier which key or algorithm to use. */
const headerChanges = fc.record(
  {
    alg: fc.oneof(fc.constantFrom('none', 'None', '', 'HS256', 'RS256', 'ES384', 'EdDSA', 'dir'), json),
    typ: fc.oneof(fc.constantFrom('JWT', 'at+JWT', 'dpop+jwt', 'logout+jwt'), json),
    kid: fc.oneof(fc.constantFrom('../../../../dev/null', "' UNION SELECT 'key", ''), hostileText, json),
    jku: fc.constantFrom('http://127.0.0.1:9/keys', 'file:///etc/passwd', '//x'),
    x5u: fc.constant('http://127.0.0.1:9/chain.pem'),
    x5c: json,
    crit: fc.oneof(fc.constantFrom(['b64'], ['exp'], [], 'exp'), json),
    b64: fc.constant(false),
    zip: fc.constant('DEF'),
    enc: fc.constant('A256GCM'),
  },
  { requiredKeys: [] },
);

const claimChanges = fc.dictionary(
  fc.constantFrom('iss', 'aud', 'exp', 'nbf', 'iat', 'sub', 'client_id', 'organisation_id', 'scope', 'jti'),
  json,
);

const attempt = fc.oneof(
  fc.record({
    kind: fc.constant('text' as const),
    scheme: fc.constantFrom('', 'Bearer '),
    text: hostileText,
  }),
  fc.record({ kind: fc.constant('changed' as const), change: mutation }),
  fc.record({ kind: fc.constant('beside' as const), text: hostileText, first: fc.boolean() }),
  fc.record({
    kind: fc.constant('forged' as const),
    header: headerChanges,
    claims: claimChanges,
    signing: fc.constantFrom('own key', 'none', 'zeros', 'of a true token', 'HMAC with the public key'),
  }),
  fc.record({ kind: fc.constant('true' as const), scheme: fc.constantFrom('Bearer', 'bearer', 'BEARER') }),
  fc.record({ kind: fc.constant('reader' as const) }),
);

type Attempt = typeof attempt extends fc.Arbitrary<infer Value> ? Value : never;

/** Values of the Authorization header, and the one status other than a refusal that an honest server may answer with. */
interface Presented {
  readonly values: readonly string[];
  readonly allowed?: 200 | 403;
}

/** The Authorization header: the API accepts only a complete token that the deployment signed. */
export async function attackAuthorizationHeader(service: AttackedService, options: AttackOptions) {
  const present = createPresenter(service, await publishedKey(service));
  return attack(
    service.baseUrl,
    fc.tuple(attempt, fc.boolean()),
    async ([input, isSync], send) => {
      const { values, allowed } = present(input, isSync);
      const answer = await send({
        method: isSync ? 'POST' : 'GET',
        target: isSync ? `/v0/files/${service.file}/sync` : '/v0/volumes',
        headers: values.map((value) => ['authorization', value] as const),
      });
      const refused = [400, 401, 431].includes(answer.status);
      require(answer.status === allowed || refused, `${input.kind}: answered ${answer.status}`);
      require(input.kind !== 'true' || answer.status === 200, 'a true token was refused');
      if (answer.status === 200) {
        jsonOf(answer);
      } else {
        requireFixedRefusal(answer, ['insufficient_scope']);
      }
    },
    options,
  );
}

/** The public key that signed the client's token. */
async function publishedKey({ baseUrl, client }: AttackedService): Promise<JsonWebKey> {
  const answer = await fetch(`${baseUrl}/.well-known/jwks.json`);
  const { keys } = (await answer.json()) as { readonly keys: readonly (JsonWebKey & { kid: string })[] };
  const { kid } = decodeProtectedHeader(client.token);
  return keys.find((key) => key.kid === kid) ?? {};
}

function createPresenter(service: AttackedService, jwk: JsonWebKey) {
  const token = service.client.token;
  const { kid, alg } = decodeProtectedHeader(token);
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' }).export({
    type: 'spki',
    format: 'pem',
  });

  /** How a forged token is signed: never by a key of the deployment over its own header and claims. */
  const signatures = {
    'own key': (text: string) =>
      sign('sha256', Buffer.from(text), { key: own.privateKey, dsaEncoding: 'ieee-p1363' }).toString(
        'base64url',
      ),
    none: () => '',
    // CVE-2022-21449: r and s of zero verified anything.
    zeros: () => Buffer.alloc(64).toString('base64url'),
    'of a true token': () => token.split('.')[2] ?? '',
    'HMAC with the public key': (text: string) =>
      createHmac('sha256', publicKey).update(text).digest('base64url'),
  };

  return (input: Attempt, isSync: boolean): Presented => {
    switch (input.kind) {
      case 'text':
        return { values: [input.scheme + headerBytes(input.text)] };
      case 'changed': {
        const changed = input.change(token);
        return { values: [`Bearer ${changed}`], ...(changed === token && { allowed: 200 }) };
      }
      case 'beside': {
        const pair = [`Bearer ${token}`, headerBytes(input.text)];
        return { values: input.first ? pair : pair.reverse() };
      }
      case 'forged': {
        const header = { typ: 'at+jwt', alg, kid, ...input.header };
        const text = `${tokenPart(header)}.${tokenPart({ ...validClaims(service.baseUrl), ...input.claims })}`;
        return { values: [`Bearer ${text}.${signatures[input.signing](text)}`] };
      }
      case 'true':
        return { values: [`${input.scheme} ${token}`], allowed: 200 };
      case 'reader':
        return { values: [`Bearer ${service.reader.token}`], allowed: isSync ? 403 : 200 };
    }
  };
}
