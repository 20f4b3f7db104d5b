import fc from 'fast-check';
import { decodeJwt } from 'jose';
import type { ClientCredentials } from '../../support/deployment.ts';
import { headerBytes, hostileText, mutation, percentEncoded } from '../../support/hostile-text.ts';
import type { RawRequest } from '../../support/raw-http.ts';
import { type AttackOptions, attack, jsonOf, require, requireFixedRefusal } from './attack.ts';
import type { AttackedService } from './attacked-service.ts';

/** Whose id or secret; a name and no value, so that no report of a failure shows a secret. */
const whose = fc.constantFrom('client' as const, 'reader' as const, 'revoked' as const);

type Part = keyof ClientCredentials;

const right = (part: Part) => ({ part: fc.constant(part), change: fc.constant(undefined) });

/** What stands in a field: what belongs there, the same with a change, what belongs in the other field, any text. */
const fieldFor = (part: Part, other: Part) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ of: whose, ...right(part) }) },
    { weight: 2, arbitrary: fc.record({ of: whose, part: fc.constant(part), change: mutation }) },
    { weight: 1, arbitrary: fc.record({ of: whose, ...right(other) }) },
    { weight: 2, arbitrary: fc.record({ text: hostileText }) },
  );

/** Half of the time both of one client, so that many inputs get past authentication. */
const pair = fc.oneof(
  fc.record({ id: fieldFor('clientId', 'clientSecret'), secret: fieldFor('clientSecret', 'clientId') }),
  whose.chain((of) =>
    fc.record({
      id: fc.record({ of: fc.constant(of), ...right('clientId') }),
      secret: fc.record({ of: fc.constant(of), ...right('clientSecret') }),
    }),
  ),
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

const refusals = ['invalid_request', 'invalid_client', 'invalid_scope', 'unsupported_grant_type'];

/** POST /oauth/token: only the id and the secret of one active client get a token. */
export function attackTokenEndpoint(service: AttackedService, options: AttackOptions) {
  return attack(
    service.baseUrl,
    attempt,
    async (input, send) => {
      const clientId = resolve(input.pair.id, service);
      const clientSecret = resolve(input.pair.secret, service);
      const answer = await send(toRequest(input, { clientId, clientSecret }));
      require(answer.body.length < 2000, 'an answer is larger than any should be');
      if (answer.status !== 200) {
        requireFixedRefusal(answer, refusals);
        return;
      }
      const { client, reader } = service;
      const owner = [client, reader].find(
        (one) => one.clientId === clientId && one.clientSecret === clientSecret,
      );
      require(owner !== undefined, 'a token for who is no client');
      require(input.grantType === 'client_credentials', 'a token by another grant');
      require(input.way === 'basic' || input.way === 'form', 'a token without proper credentials');
      const held = owner === reader ? ['volume:read'] : ['volume:read', 'sync:create'];
      requireOwnToken(jsonOf(answer), owner, held);
    },
    options,
  );
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
