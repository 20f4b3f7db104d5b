import fc from 'fast-check';
import { decodeJwt } from 'jose';
import type { AttackedService } from '../../support/attacked-service.ts';
import type { ClientCredentials } from '../../support/deployment.ts';
import { headerBytes, hostileText, mutation, percentEncoded } from '../../support/hostile-text.ts';
import { createRawClient, type RawRequest } from '../../support/raw-http.ts';
import {
  countInto,
  jsonOf,
  type PreparedAttack,
  require,
  requireFixedRefusal,
  requireSound,
} from './attack.ts';

/** Whose id or secret; a name and no value, so that no report of a failure shows a secret. */
const whose = fc.constantFrom('client' as const, 'reader' as const, 'revoked' as const);

type Part = keyof ClientCredentials;

/** What stands in a field: what belongs there, the same with a change, what belongs in the other field, any text. */
const fieldFor = (part: Part, other: Part) =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ of: whose, part: fc.constant(part), change: fc.constant(undefined) }),
    },
    { weight: 2, arbitrary: fc.record({ of: whose, part: fc.constant(part), change: mutation }) },
    {
      weight: 1,
      arbitrary: fc.record({ of: whose, part: fc.constant(other), change: fc.constant(undefined) }),
    },
    { weight: 2, arbitrary: fc.record({ text: hostileText }) },
  );

/** Half of the time both of one client, so that many inputs get past authentication. */
const pair = fc.oneof(
  fc.record({
    id: fieldFor('clientId', 'clientSecret'),
    secret: fieldFor('clientSecret', 'clientId'),
  }),
  whose.map((of) => ({
    id: { of, part: 'clientId' as const, change: undefined },
    secret: { of, part: 'clientSecret' as const, change: undefined },
  })),
);

const parameterName = fc.oneof(
  fc.constantFrom(
    'grant_type',
    'client_id',
    'client_secret',
    'scope',
    'client_assertion',
    'assertion',
    'GRANT_TYPE',
  ),
  hostileText,
);

const rarely = <Value>(arbitrary: fc.Arbitrary<Value>, usually: Value, weight = 6) =>
  fc.oneof({ weight, arbitrary: fc.constant(usually) }, { weight: 1, arbitrary });

const attempt = fc.record({
  way: fc.constantFrom('basic', 'basic', 'form', 'form', 'both', 'none', 'raw header'),
  pair,
  grantType: rarely(fc.option(hostileText, { nil: undefined }), 'client_credentials'),
  scope: fc.option(
    fc.oneof(
      fc.constantFrom('volume:read', 'sync:create', 'volume:read sync:create', 'admin', '*'),
      hostileText,
    ),
    { nil: undefined },
  ),
  more: rarely(fc.array(fc.tuple(parameterName, hostileText), { maxLength: 6 }), [], 3),
  contentType: rarely(
    fc.oneof(
      fc.constantFrom(
        'application/x-www-form-urlencoded; charset=utf-8',
        'application/json',
        'text/plain',
        'multipart/form-data; boundary=x',
      ),
      hostileText,
    ),
    'application/x-www-form-urlencoded',
    10,
  ),
  header: hostileText,
});

type Attempt = typeof attempt extends fc.Arbitrary<infer Value> ? Value : never;
type Field = Attempt['pair']['id'];

/** POST /oauth/token: nobody gets a token but who presents the id and the secret of one active client. */
export async function attackTokenEndpoint(service: AttackedService): Promise<PreparedAttack> {
  const api = createRawClient(service.baseUrl);
  const statuses = new Map<number, number>();
  const property = fc.asyncProperty(attempt, async (input) => {
    const presented = {
      clientId: resolve(input.pair.id, service),
      clientSecret: resolve(input.pair.secret, service),
    };
    const answer = await api.send(toRequest(input, presented));
    countInto(statuses, answer);
    requireSound(answer);
    require(answer.body.length < 2000, 'an answer is larger than any should be');
    if (answer.status !== 200) {
      requireFixedRefusal(answer, [
        'invalid_request',
        'invalid_client',
        'invalid_scope',
        'unsupported_grant_type',
      ]);
      return;
    }
    const owner = [service.client, service.reader].find(
      ({ clientId, clientSecret }) =>
        clientId === presented.clientId && clientSecret === presented.clientSecret,
    );
    require(owner !== undefined, 'a token for who is no client');
    require(input.grantType === 'client_credentials', 'a token by another grant');
    require(input.way !== 'none' &&
      input.way !== 'raw header' &&
      input.way !== 'both', 'a token without proper credentials');
    requireOwnToken(
      jsonOf(answer),
      owner,
      owner === service.reader ? ['volume:read'] : ['volume:read', 'sync:create'],
    );
  });
  return {
    run: (options) => fc.assert(property, options),
    statuses,
    finish: async () => api.close(),
  };
}

function requireOwnToken(
  body: Readonly<Record<string, unknown>>,
  owner: ClientCredentials,
  held: readonly string[],
): void {
  const claims = decodeJwt(String(body.access_token));
  require(claims.sub === owner.clientId, "a token in another client's name");
  const scopes = String(claims.scope).split(' ');
  require(scopes.length > 0 && scopes.every((scope) => held.includes(scope)), 'a scope that is not held');
  require(body.scope === claims.scope, 'the answer tells of other scopes than the token');
}

function resolve(field: Field, service: AttackedService): string {
  if ('text' in field) {
    return field.text;
  }
  const value = service[field.of][field.part];
  return field.change === undefined ? value : field.change(value);
}

function toRequest(input: Attempt, presented: ClientCredentials): RawRequest {
  const pairs: (readonly [string, string])[] = [...input.more];
  if (input.grantType !== undefined) {
    pairs.unshift(['grant_type', input.grantType]);
  }
  if (input.scope !== undefined) {
    pairs.push(['scope', input.scope]);
  }
  if (input.way === 'form' || input.way === 'both') {
    pairs.push(['client_id', presented.clientId], ['client_secret', presented.clientSecret]);
  }
  const form = pairs.map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`).join('&');
  return {
    method: 'POST',
    target: '/oauth/token',
    headers: [['content-type', headerBytes(input.contentType)], ...authorizationOf(input, presented)],
    body: Buffer.from(form),
  };
}

function authorizationOf(
  { way, header }: Attempt,
  { clientId, clientSecret }: ClientCredentials,
): (readonly [string, string])[] {
  if (way === 'raw header') {
    return [['authorization', headerBytes(header)]];
  }
  if (way !== 'basic' && way !== 'both') {
    return [];
  }
  const pair = Buffer.from(`${percentEncoded(clientId)}:${percentEncoded(clientSecret)}`).toString('base64');
  return [['authorization', `Basic ${pair}`]];
}
