import type { Subject } from '../defect.ts';

const formerTokens = ['test/lambdas/shared/former-base-urls.test.ts'];
const stack = ['test/lib/address.test.ts'];
const names = ['test/emulator/api-gateway/server.test.ts'];

/** Where the API is, and where it was before. */
export const addresses: Subject = {
  subject: 'addresses',
  defects: [
    {
      name: 'former-address-accepted-for-ever',
      promise: 'Tokens of a former base URL are refused from its time on (docs/domain.md)',
      file: 'contract/former-base-urls.ts',
      find: 'return now < acceptedUntil;',
      replace: 'return now < acceptedUntil || acceptedUntil > 0;',
      tests: formerTokens,
    },
    {
      name: 'former-address-accepted-a-moment-longer',
      promise: 'Tokens of a former base URL are refused from its very time on (docs/domain.md)',
      file: 'contract/former-base-urls.ts',
      find: 'return now < acceptedUntil;',
      replace: 'return now <= acceptedUntil;',
      tests: formerTokens,
    },
    {
      name: 'kept-token-outlives-former-address',
      promise: 'A token that was verified before ends with its former base URL as well (docs/domain.md)',
      file: 'lambdas/shared/access-token.ts',
      find: 'Math.min(Number(payload.exp), acceptedUntil / 1000)',
      replace: 'Number(payload.exp)',
      tests: formerTokens,
    },
    {
      name: 'former-address-extends-a-token',
      promise: 'A token of a former base URL expires when it says so (docs/api.md 5.5)',
      file: 'lambdas/shared/access-token.ts',
      find: 'Math.min(Number(payload.exp), acceptedUntil / 1000)',
      replace: 'acceptedUntil / 1000',
      tests: formerTokens,
    },
    {
      name: 'issuer-and-audience-mixed',
      promise:
        'A token with the issuer of one address and the audience of another is refused (docs/domain.md)',
      file: 'lambdas/shared/access-token.ts',
      find:
        'const payload = await verifyFor(baseUrl, token, key, currentDate);\n' +
        '    return { payload, usableUntil: Math',
      replace:
        "const { aud } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());\n" +
        '    const { payload } = await jwtVerify(token, key.key, {\n' +
        '      algorithms: [key.alg], typ: accessTokenType, issuer: baseUrl, audience: aud, currentDate,\n    });\n' +
        '    return { payload, usableUntil: Math',
      tests: formerTokens,
    },
    {
      name: 'metadata-of-one-address-for-all',
      promise: 'Asked at a former address, the metadata names that address (RFC 8414 section 3.3)',
      file: 'lambdas/well-known/well-known-endpoint.ts',
      find: 'former.get(domainName)',
      replace: 'former.get(`${domainName}.`)',
      tests: ['test/lambdas/well-known/former-address.test.ts'],
    },
    {
      name: 'metadata-of-a-former-address-for-ever',
      promise: 'The metadata names a former address until its time (docs/domain.md)',
      file: 'lambdas/well-known/well-known-endpoint.ts',
      find: 'asked !== undefined && isAccepted(asked.entry, now())',
      replace: 'asked !== undefined && asked.entry.acceptedUntil > 0',
      tests: ['test/lambdas/well-known/former-address.test.ts'],
    },
    {
      name: 'own-endpoint-left-on',
      promise: "With a domain, the API's own endpoint is off (docs/domain.md)",
      file: 'lib/api.ts',
      find: '{ disableExecuteApiEndpoint: true }',
      replace: '{ disableExecuteApiEndpoint: false }',
      tests: stack,
    },
    {
      name: 'own-endpoint-off-for-former-clients',
      promise: "The API's own endpoint stays on until its time, if formerBaseUrls names it (docs/domain.md)",
      file: 'lib/address.ts',
      find: 'domain === undefined || live.some((entry) => isDefaultEndpoint(entry, region))',
      replace: 'domain === undefined',
      tests: stack,
    },
    {
      name: 'own-endpoint-on-after-its-time',
      promise: 'A deployment after the time switches the own endpoint off (docs/domain.md)',
      file: 'lib/address.ts',
      find: 'live.some((entry) => isDefault',
      replace: 'former.some((entry) => isDefault',
      tests: stack,
    },
    {
      name: 'old-tls-at-the-domain',
      promise: 'The domain takes TLS 1.2 or newer (docs/domain.md)',
      file: 'lib/api-domain.ts',
      find: "securityPolicy: 'TLS_1_2'",
      replace: "securityPolicy: 'TLS_1_0'",
      tests: stack,
    },
    {
      name: 'domain-contradicts-base-url',
      promise: 'domainName with another baseUrl is refused (docs/domain.md)',
      file: 'lib/address.ts',
      find: 'baseUrl === `https://${domainName}` ||',
      replace: 'baseUrl.length > 0 ||',
      tests: stack,
    },
    {
      name: 'wildcard-domain-allowed',
      promise: 'domainName is one name, not a wildcard (README.md, Settings)',
      file: 'lib/address-settings.ts',
      find: 'parts.every((part) => namePart.test(part)) &&',
      replace: "parts.every((part) => part === '*' || namePart.test(part)) &&",
      tests: ['test/lib/configuration.test.ts'],
    },
    {
      name: 'switched-off-endpoint-answers-locally',
      promise: 'An endpoint that is switched off answers nothing but 404 (emulator/README.md)',
      file: 'emulator/api-gateway/server.ts',
      find: '&& !api.addresses.isOwnOpen',
      replace: '&& api.addresses.ownName === domainName.toUpperCase()',
      tests: names,
    },
  ],
};
