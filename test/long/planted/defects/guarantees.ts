import type { Subject } from '../defect.ts';

/** Guarantees of which no test noticed the loss, not even of all together. */
export const guarantees: Subject = {
  subject: 'guarantees',
  defects: [
    {
      name: 'client-read-not-consistent',
      promise:
        'A revoked client gets no token (docs/api.md 2.2), from the moment when the revocation returns',
      file: 'lambdas/token/read-client.ts',
      find: '...readClientAuthentication(clientId) }',
      replace: '...readClientAuthentication(clientId), ConsistentRead: false }',
      tests: ['test/local/eventual-consistency.test.ts'],
    },
    {
      name: 'file-read-not-consistent',
      promise:
        'A file with syncing not enabled is 409 (docs/api.md 8.8), from the moment when it is disabled',
      file: 'lambdas/sync/tables.ts',
      find: '...readFileAccess(fileId) }',
      replace: '...readFileAccess(fileId), ConsistentRead: false }',
      tests: ['test/local/eventual-consistency.test.ts'],
    },
    {
      name: 'recorder-upload-read-not-consistent',
      promise:
        'Every stored upload is recorded once (docs/decisions/0004): the recorder reads its upload consistently',
      file: 'lambdas/recording/tables.ts',
      find: 'read(names.uploads, readUpload(uploadId))',
      replace: 'read(names.uploads, { ...readUpload(uploadId), ConsistentRead: false })',
      tests: ['test/local/eventual-consistency.test.ts'],
    },
    {
      name: 'recorder-file-read-not-consistent',
      promise:
        'The newest upload is the content (docs/decisions/0004): the recorder reads its file consistently',
      file: 'lambdas/recording/tables.ts',
      find: 'read(names.files, readFileContent(fileId))',
      replace: 'read(names.files, { ...readFileContent(fileId), ConsistentRead: false })',
      tests: ['test/local/eventual-consistency.test.ts'],
    },
    {
      name: 'every-error-is-a-failed-condition',
      promise:
        'A stored file is never lost (docs/api.md 9.1): a throttled write fails, so that the event is tried again',
      file: 'storage/table.ts',
      find: "if (error instanceof Error && error.name === 'ConditionalCheckFailedException') {",
      replace: 'if (error instanceof Error) {',
      tests: ['test/storage/table.test.ts'],
    },
    {
      name: 'secrets-compared-byte-by-byte',
      promise: 'The time of a refusal tells nothing about a secret (docs/threat-model.md)',
      file: 'lambdas/token/authenticate-client.ts',
      find: 'timingSafeEqual(digest, presented)',
      replace: 'digest.equals(presented)',
      tests: ['test/lambdas/token/secret-comparison.test.ts', 'test/lambdas/token'],
    },
    {
      name: 'no-dummy-comparisons',
      promise: 'The time of a refusal does not tell whether a client exists, or how many secrets it has',
      file: 'lambdas/token/authenticate-client.ts',
      find: '[...stored, ...padding]',
      replace: '[...stored]',
      tests: ['test/lambdas/token/secret-comparison.test.ts', 'test/lambdas/token'],
    },
    {
      name: 'unknown-client-answered-early',
      promise:
        'A wrong client ID and a wrong client secret look the same (docs/api.md 4.4), in their time too',
      file: 'lambdas/token/authenticate-client.ts',
      find: '  const matches = matchesLiveSecret(digestClientSecret(clientSecret), client, now());',
      replace:
        "  if (client === undefined) {\n    throw TokenError.invalidClient('There is no such client', loggableId(clientId));\n  }\n" +
        '  const matches = matchesLiveSecret(digestClientSecret(clientSecret), client, now());',
      tests: ['test/lambdas/token/secret-comparison.test.ts', 'test/lambdas/token'],
    },
    {
      name: 'write-not-aborted',
      promise: 'A request that was answered with 500 stores nothing more (docs/api.md 11.5)',
      file: 'lambdas/sync/tables.ts',
      find: ', { abortSignal });',
      replace: ', {});',
      tests: ['test/lambdas/sync/tables.test.ts'],
    },
  ],
};
