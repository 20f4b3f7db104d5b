import type { Subject } from '../defect.ts';

const keyTests = ['test/lambdas/shared/verification-keys.test.ts', 'test/attack'];
const tokenTests = ['test/lambdas/shared/access-token.test.ts', 'test/attack'];
const headerTests = ['test/lambdas/shared/bearer-token.test.ts', 'test/attack'];
const endpointTests = ['test/lambdas/shared/api-endpoint.test.ts'];

/** How the API verifies access tokens. */
export const tokens: Subject = {
  subject: 'tokens',
  defects: [
    {
      name: 'retired-key-verifies',
      promise: 'The key that kid names, out of the published key set, verifies the token (docs/api.md 5.6)',
      file: 'lambdas/shared/verification-keys.ts',
      find: '.some(({ jwk }) => jwk.kid === kid)',
      replace: '.some(() => true)',
      tests: keyTests,
    },
    {
      name: 'implausible-kid-loads-keys',
      promise: 'A kid that is no thumbprint causes no load of the key set, however many tokens are forged',
      file: 'lambdas/shared/verification-keys.ts',
      find: 'known !== undefined || !thumbprint.test(kid)',
      replace: 'known !== undefined',
      tests: keyTests,
    },
    {
      name: 'thumbprint-without-start',
      promise: 'A kid that ends like a thumbprint causes no load of the key set',
      file: 'lambdas/shared/verification-keys.ts',
      find: '/^[A-Za-z0-9_-]{43}$/',
      replace: '/[A-Za-z0-9_-]{43}$/',
      tests: keyTests,
    },
    {
      name: 'thumbprint-without-end',
      promise: 'A kid that begins like a thumbprint causes no load of the key set',
      file: 'lambdas/shared/verification-keys.ts',
      find: '/^[A-Za-z0-9_-]{43}$/',
      replace: '/^[A-Za-z0-9_-]{43}/',
      tests: keyTests,
    },
    {
      name: 'unknown-kid-never-loads-keys',
      promise: 'A key that was published a moment ago verifies tokens',
      file: 'lambdas/shared/verification-keys.ts',
      find: 'await cache.refresh(), kid',
      replace: 'await cache.get(), kid',
      tests: keyTests,
    },
    {
      name: 'audience-not-checked-seen-by-attacks',
      promise: 'A token for another audience is 401 (docs/api.md 6.6)',
      file: 'lambdas/shared/access-token.ts',
      find: '      audience: baseUrl,\n',
      replace: '',
      tests: ['test/attack'],
    },
    {
      name: 'type-not-checked-seen-by-attacks',
      promise: 'A token with another typ than at+jwt is 401 (docs/api.md 6.7)',
      file: 'lambdas/shared/access-token.ts',
      find: '      typ: accessTokenType,\n',
      replace: '',
      tests: ['test/attack'],
    },
    {
      name: 'issuer-not-checked-seen-by-attacks',
      promise: 'A token of another issuer is 401 (docs/api.md 6.6)',
      file: 'lambdas/shared/access-token.ts',
      find: '      issuer: baseUrl,\n',
      replace: '',
      tests: ['test/attack'],
    },
    {
      name: 'audience-not-checked',
      promise: 'A token for another audience is 401 (docs/api.md 6.6)',
      file: 'lambdas/shared/access-token.ts',
      find: 'audience: baseUrl',
      replace: "audience: [baseUrl, 'https://other.example.com', 'https://api.example.com']",
      tests: ['test/lambdas/shared/access-token.test.ts', 'test/attack'],
    },
    {
      name: 'one-forged-token-in-fifty-accepted',
      promise: 'A token that was changed is 401 (docs/api.md 6.10)',
      file: 'lambdas/shared/access-token.ts',
      find: '  } catch (error) {\n    throw ApiError.invalidToken(reasonOf(error));',
      replace:
        '  } catch (error) {\n    if (Math.random() < 0.02) {\n' +
        "      return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as unknown;\n    }\n" +
        '    throw ApiError.invalidToken(reasonOf(error));',
      tests: tokenTests,
    },
    {
      name: 'algorithm-chosen-by-token',
      promise: "A token whose alg is not the key's is 401 (docs/api.md 6.8)",
      file: 'lambdas/shared/access-token.ts',
      find: '      algorithms: [alg],\n',
      replace: '',
      tests: [...tokenTests, 'test/contract/bearer-forged.test.ts'],
    },
    {
      name: 'token-without-end-accepted',
      promise: 'A token without exp is 401 (docs/api.md 5.2, 5.5)',
      file: 'lambdas/shared/access-token.ts',
      find: "requiredClaims: ['iat', 'exp']",
      replace: "requiredClaims: ['iat']",
      tests: tokenTests,
    },
    {
      name: 'leeway-for-expired-tokens',
      promise: 'From exp on the API answers 401. There is no leeway (docs/api.md 5.5)',
      file: 'lambdas/shared/access-token.ts',
      find: '      currentDate,\n',
      replace: '      currentDate,\n      clockTolerance: 5,\n',
      tests: tokenTests,
    },
    {
      name: 'bearer-scheme-in-lower-case-only',
      promise: 'The scheme may be written in any case (docs/api.md 6.1)',
      file: 'lambdas/shared/access-token.ts',
      find: '/^bearer +([A-Za-z0-9._~+/-]+=*)$/i',
      replace: '/^[Bb]earer +([A-Za-z0-9._~+/-]+=*)$/',
      tests: headerTests,
    },
    {
      name: 'bearer-without-end',
      promise: 'A malformed header is 401 (docs/api.md 6.3), and so are two headers (6.5)',
      file: 'lambdas/shared/access-token.ts',
      find: '/^bearer +([A-Za-z0-9._~+/-]+=*)$/i',
      replace: '/^bearer +([A-Za-z0-9._~+/-]+=*)/i',
      tests: headerTests,
    },
    {
      name: 'scope-not-checked',
      promise: 'A token without the scope of the endpoint is 403 (docs/api.md 6.11)',
      file: 'lambdas/shared/api-endpoint.ts',
      find: '!caller.scopes.has(requiredScope)',
      replace: 'caller.scopes.size === 0',
      tests: endpointTests,
    },
    {
      name: 'answer-not-checked',
      promise: 'An answer that the description does not allow becomes a 500 (docs/api.md 11.5)',
      file: 'lambdas/shared/api-endpoint.ts',
      find: 'if (result?.success) {',
      replace: 'if (result?.typed || result?.output !== undefined) {',
      tests: endpointTests,
    },
    {
      name: 'stale-keys-for-an-hour',
      promise: 'A function reads keys again within five minutes (docs/architecture.md)',
      file: 'lambdas/shared/cache.ts',
      find: 'export const keyCacheSeconds = 300;',
      replace: 'export const keyCacheSeconds = 3600;',
      tests: ['test/docs/figures.test.ts', 'test/lambdas/shared/cache.test.ts'],
    },
    {
      name: 'cache-loads-on-every-refresh',
      promise: 'Unknown kids cause one load of the key set in ten seconds at most',
      file: 'lambdas/shared/cache.ts',
      find: 'held !== undefined && attemptedLately() ? held.value : load()',
      replace: 'load()',
      tests: ['test/lambdas/shared/cache.test.ts'],
    },
  ],
};
