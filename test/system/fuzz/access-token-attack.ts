import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import fc from 'fast-check';
import type { AttackedService } from '../../support/attacked-service.ts';
import { validClaims } from '../../support/forged-token.ts';
import { headerBytes, hostileText, mutation } from '../../support/hostile-text.ts';
import { createRawClient } from '../../support/raw-http.ts';
import { fetchTokens, type TrueTokens } from '../../support/true-tokens.ts';
import {
  createCounter,
  jsonOf,
  type PreparedAttack,
  require,
  requireFixedRefusal,
  requireSound,
  requireSoundLog,
} from './attack.ts';

const json = fc.jsonValue({ maxDepth: 3 });

const kid = fc.oneof(
  fc.constantFrom(
    '{true}',
    '../../../../dev/null',
    '/dev/null',
    "' UNION SELECT 'key",
    '',
    'A'.repeat(43),
    'current',
    '0',
  ),
  hostileText,
  json,
);

const headerChanges = fc.record(
  {
    alg: fc.oneof(
      fc.constantFrom(
        'none',
        'None',
        '',
        'HS256',
        'HS512',
        'RS256',
        'PS256',
        'ES384',
        'ES256K',
        'EdDSA',
        'dir',
      ),
      json,
    ),
    typ: fc.oneof(fc.constantFrom('JWT', 'at+JWT', 'application/at+jwt', 'dpop+jwt', 'logout+jwt'), json),
    kid,
    jwk: fc.constant('{own}'),
    jku: fc.constantFrom('http://127.0.0.1:9/keys', 'file:///etc/passwd', '//x'),
    x5u: fc.constant('http://127.0.0.1:9/chain.pem'),
    x5c: json,
    crit: fc.oneof(fc.constantFrom(['b64'], ['exp'], [], 'exp'), json),
    b64: fc.constant(false),
    zip: fc.constant('DEF'),
    cty: fc.constant('JWT'),
    enc: fc.constant('A256GCM'),
  },
  { requiredKeys: [] },
);

const claimChanges = fc.record(
  {
    iss: fc.oneof(fc.constantFrom('https://issuer.example.com', '{base}/'), json),
    aud: fc.oneof(fc.constantFrom('https://api.example.com', '{base}/v0', ['{base}', 'other']), json),
    exp: fc.oneof(fc.constantFrom(0, 1, -1, 9e15, '9999999999'), json),
    nbf: fc.constant(9_999_999_999),
    iat: json,
    sub: json,
    client_id: json,
    organisation_id: json,
    scope: fc.oneof(fc.constantFrom('admin', '', 'volume:read\tsync:create', 'VOLUME:READ'), json),
    jti: json,
  },
  { requiredKeys: [] },
);

/** How a forged token is signed. None of them is by a key of the deployment over what it would sign. */
const signing = fc.constantFrom(
  'own key',
  'own RSA key',
  'no signature',
  'zero signature',
  'signature of a true token',
  'HMAC with the public JWK',
  'HMAC with the public PEM',
  'HMAC with nothing',
  'HMAC with the kid',
);

const attempt = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: hostileText }),
  fc.record({ kind: fc.constant('bearer text' as const), text: hostileText }),
  fc.record({
    kind: fc.constant('changed' as const),
    change: mutation,
    part: fc.integer({ min: -1, max: 2 }),
  }),
  fc.record({ kind: fc.constant('beside' as const), text: hostileText, first: fc.boolean() }),
  fc.record({ kind: fc.constant('forged' as const), header: headerChanges, claims: claimChanges, signing }),
  fc.record({ kind: fc.constant('well signed' as const), claims: claimChanges }),
  fc.record({ kind: fc.constant('true' as const), scheme: fc.constantFrom('Bearer', 'bearer', 'BEARER') }),
  fc.record({ kind: fc.constant('reader' as const) }),
);

type Attempt = typeof attempt extends fc.Arbitrary<infer Value> ? Value : never;

const target = fc.constantFrom('volumes' as const, 'sync' as const);

/** What stands in the Authorization header, and what an honest server may make of it. */
interface Presented {
  readonly values: readonly string[];
  readonly allowed: readonly (200 | 403)[];
}

/** The Authorization header: nothing but a token that the deployment signed, whole, opens anything. */
export async function attackAuthorizationHeader(service: AttackedService): Promise<PreparedAttack> {
  const api = createRawClient(service.baseUrl);
  const tokens = await fetchTokens(service);
  const forge = createForger(service, tokens);
  const before = (await service.logLines()).length;
  const { counts, count } = createCounter();
  let requests = 0;
  const property = fc.asyncProperty(attempt, target, async (input, endpoint) => {
    const { values, allowed } = forge(input, endpoint);
    requests += 1;
    const answer = await api.send({
      method: endpoint === 'volumes' ? 'GET' : 'POST',
      target: endpoint === 'volumes' ? '/v0/volumes' : `/v0/files/${service.file}/sync`,
      headers: values.map((value) => ['authorization', value] as const),
    });
    count(answer.status);
    requireSound(answer);
    if (answer.status === 200) {
      require(allowed.includes(200), `${input.kind}: taken for a true token at ${endpoint}`);
      jsonOf(answer);
      return;
    }
    requireFixedRefusal(answer, ['insufficient_scope']);
    require(answer.status !== 403 ||
      allowed.includes(403), `${input.kind}: taken for a true token without the scope`);
    require([400, 401, 403, 431].includes(answer.status), `${input.kind}: answered ${answer.status}`);
    require(input.kind !== 'true', 'a true token was refused');
  });
  return {
    run: (options) => fc.assert(property, options),
    reached: counts,
    finish: async () => {
      api.close();
      const lines = (await service.logLines()).slice(before);
      requireSoundLog(
        lines,
        requests,
        [tokens.client, tokens.reader].map((token) => token.split('.')[2] ?? token),
      );
    },
  };
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value) ?? 'null').toString('base64url');

function createForger(service: AttackedService, tokens: TrueTokens) {
  const { jwk, kid: trueKid, alg } = service.signingKey;
  const publishedKey = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ownRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicPem = createPublicKey(publishedKey).export({ type: 'spki', format: 'pem' }).toString();
  const { d: _, ...publicJwk } = jwk;

  const claimsWith = (changes: Readonly<Record<string, unknown>>) => ({
    ...validClaims(service.baseUrl),
    ...substitute(changes, { '{base}': service.baseUrl }),
  });

  function forged({ header, claims, signing: how }: Extract<Attempt, { kind: 'forged' }>): string {
    const substituted = substitute(header, { '{true}': trueKid });
    const withKey =
      'jwk' in header ? { ...substituted, jwk: own.publicKey.export({ format: 'jwk' }) } : substituted;
    const input = `${encode({ typ: 'at+jwt', alg, kid: trueKid, ...withKey })}.${encode(claimsWith(claims))}`;
    return `${input}.${signature(how, input)}`;
  }

  function signature(how: string, input: string): string {
    const hmac = (key: string) => createHmac('sha256', key).update(input).digest('base64url');
    switch (how) {
      case 'own key':
        return ecSignature(own.privateKey, input);
      case 'own RSA key':
        return sign('sha256', Buffer.from(input), ownRsa.privateKey).toString('base64url');
      case 'no signature':
        return '';
      case 'zero signature':
        // CVE-2022-21449: r and s of zero verified anything.
        return Buffer.alloc(64).toString('base64url');
      case 'signature of a true token':
        return tokens.client.split('.')[2] ?? '';
      case 'HMAC with the public JWK':
        return hmac(JSON.stringify(publicJwk));
      case 'HMAC with the public PEM':
        return hmac(publicPem);
      case 'HMAC with nothing':
        return hmac('');
      default:
        return hmac(trueKid);
    }
  }

  /** A true signature over claims that are wrong, or happen to be right. */
  function wellSigned(claims: Readonly<Record<string, unknown>>): string {
    const input = `${encode({ typ: 'at+jwt', alg, kid: trueKid })}.${encode(claimsWith(claims))}`;
    return `${input}.${ecSignature(publishedKey, input)}`;
  }

  return (input: Attempt, endpoint: 'volumes' | 'sync'): Presented => {
    switch (input.kind) {
      case 'text':
        return { values: [headerBytes(input.text)], allowed: [] };
      case 'bearer text':
        return { values: [`Bearer ${headerBytes(input.text)}`], allowed: [] };
      case 'changed': {
        const changed = changePart(tokens.client, input.part, input.change);
        return { values: [`Bearer ${changed}`], allowed: changed === tokens.client ? [200] : [] };
      }
      case 'beside': {
        const pair = [`Bearer ${tokens.client}`, headerBytes(input.text)];
        return { values: input.first ? pair : pair.reverse(), allowed: [] };
      }
      case 'forged':
        return { values: [`Bearer ${forged(input)}`], allowed: [] };
      case 'well signed':
        return {
          values: [`Bearer ${wellSigned(input.claims)}`],
          allowed: allowedTo(claimsWith(input.claims), service, endpoint),
        };
      case 'true':
        return { values: [`${input.scheme} ${tokens.client}`], allowed: [200] };
      case 'reader':
        return { values: [`Bearer ${tokens.reader}`], allowed: endpoint === 'volumes' ? [200] : [403] };
    }
  };
}

function ecSignature(key: KeyObject, input: string): string {
  return sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
}

/** Puts what only this run knows in the place of names in braces. */
function substitute(values: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>>) {
  const text = JSON.stringify(values);
  const replaced = Object.entries(names).reduce((done, [name, value]) => done.replaceAll(name, value), text);
  return JSON.parse(replaced) as Record<string, unknown>;
}

function changePart(token: string, part: number, change: (text: string) => string): string {
  if (part < 0) {
    return change(token);
  }
  return token
    .split('.')
    .map((text, index) => (index === part ? change(text) : text))
    .join('.');
}

/** What the contract gives to a well-signed token with these claims. Files of others are not found, so sync is 404. */
function allowedTo(
  claims: Readonly<Record<string, unknown>>,
  { baseUrl }: AttackedService,
  endpoint: 'volumes' | 'sync',
): (200 | 403)[] {
  const now = Date.now() / 1000;
  const { iss, aud, exp, iat, nbf, sub, client_id, organisation_id, scope, jti } = claims;
  const texts = [sub, client_id, organisation_id, scope, jti].every((claim) => typeof claim === 'string');
  const times =
    typeof exp === 'number' &&
    exp > now &&
    typeof iat === 'number' &&
    (nbf === undefined || Number(nbf) <= now);
  const audience = aud === baseUrl || (Array.isArray(aud) && aud.includes(baseUrl));
  if (!texts || !times || iss !== baseUrl || !audience) {
    return [];
  }
  const needed = endpoint === 'volumes' ? 'volume:read' : 'sync:create';
  return String(scope).split(' ').includes(needed) ? [200] : [403];
}
