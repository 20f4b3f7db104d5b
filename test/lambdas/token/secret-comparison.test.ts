import crypto, { randomBytes } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { authenticateClient } from '../../../lambdas/token/authenticate-client.ts';
import type { RegisteredClient } from '../../../lambdas/token/read-client.ts';
import { digestClientSecret, generateClientSecret } from '../../../storage/client-secret.ts';
import { noon } from '../../support/signing-keys.ts';

/**
 * The time of a response must not reveal if a client exists, or which of its secrets almost matches. The
 * tests do not measure time: they observe Node's constant-time comparison and replace its outcomes.
 */

const [first = '', second = '', wrong = ''] = Array.from('123', () => generateClientSecret(randomBytes));
const secret = (text: string, endsAt?: string) => ({
  secret_id: text,
  sha256: digestClientSecret(text).toString('hex'),
  ...(endsAt === undefined ? {} : { ends_at: endsAt }),
});
const client = (change: Partial<RegisteredClient> = {}): RegisteredClient => ({
  organisation_id: 'acme',
  status: 'active',
  scopes: ['volume:read'],
  secrets: [secret(first), secret(second)],
  ...change,
});

/** Authenticates, and returns the id of the accepted secret and the values compared in constant time. */
async function authenticate(
  registered: RegisteredClient | undefined,
  clientSecret: string,
  outcome?: boolean,
) {
  const genuine = crypto.timingSafeEqual;
  const presented = digestClientSecret(clientSecret);
  const compared: unknown[] = [];
  vi.spyOn(crypto, 'timingSafeEqual').mockImplementation((a, b) => {
    const withPresented = [a, b].some((bytes) => presented.equals(bytes as Uint8Array));
    compared.push({ lengths: [a.byteLength, b.byteLength], withPresented });
    return outcome ?? genuine(a, b);
  });
  // From here on, named imports of Node's modules see the change, in the product as well.
  syncBuiltinESMExports();
  const used = await authenticateClient({ clientId: 'acme', clientSecret }, '192.0.2.1', {
    readClient: async () => registered,
    now: () => noon.getTime(),
  }).then(
    ({ secret }) => secret.secret_id,
    () => undefined,
  );
  return { used, compared };
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe('a client secret is compared with two digests in constant time', () => {
  const ends = (milliseconds: number) =>
    client({
      secrets: [secret(first, new Date(noon.getTime() + milliseconds).toISOString()), secret(second)],
    });

  test.for<[name: string, registered: RegisteredClient | undefined, presented: string, used?: string]>([
    ['of an unknown client', undefined, first],
    ['of a client without secrets', client({ secrets: [] }), first],
    ['of a client with one secret, the right one', client({ secrets: [secret(first)] }), first, first],
    ['of a client with two secrets, the first', client(), first, first],
    ['of a client with two secrets, the second', client(), second, second],
    ['of a client with two secrets, a wrong one', client(), wrong],
    ['that ends now', ends(0), first],
    ['that ends in a millisecond', ends(1), first, first],
    ['of a revoked client, the right one', client({ status: 'revoked' }), first],
    ['of a client at another address', client({ allow_from: ['192.0.2.2/32'] }), first],
  ])('%s', async ([, registered, presented, expected]) => {
    const { used, compared } = await authenticate(registered, presented);
    expect(used).toBe(expected);
    const comparison = { lengths: [32, 32], withPresented: true };
    expect(compared).toEqual([comparison, comparison]);
  });

  test('and only these comparisons decide', async () => {
    expect((await authenticate(client(), first, false)).used).toBeUndefined();
    expect((await authenticate(client(), wrong, true)).used).toBe(second);
  });

  test('but the substitute of a missing secret never matches', async () => {
    expect((await authenticate(client({ secrets: [] }), wrong, true)).used).toBeUndefined();
    expect((await authenticate(undefined, wrong, true)).used).toBeUndefined();
  });
});
