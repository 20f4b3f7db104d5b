import type { Subject } from '../defect.ts';

const sync = ['test/lambdas/sync'];
const recording = ['test/lambdas/record-upload'];
const objectKey = ['test/storage', 'test/lambdas/record-upload'];

/** Upload URLs, and how uploads are recorded. */
export const uploads: Subject = {
  subject: 'uploads',
  defects: [
    {
      name: 'file-of-another-organisation',
      promise: 'A file of another organisation is 404 (docs/api.md 8.6)',
      file: 'lambdas/sync/sync-endpoint.ts',
      find: 'file === undefined || file.organisation_id !== organisationId',
      replace: 'file === undefined',
      tests: sync,
    },
    {
      name: 'disabled-file-synced',
      promise: 'A file with syncing not enabled is 409 (docs/api.md 8.8)',
      file: 'lambdas/sync/sync-endpoint.ts',
      find: 'if (!file.sync_enabled) {',
      replace: "if (file.organisation_id === '') {",
      tests: sync,
    },
    {
      name: 'url-without-record',
      promise: 'Every upload URL has a record (docs/storage.md)',
      file: 'lambdas/sync/issue-upload-url.ts',
      find: '  await recordIssued(upload, signal);',
      replace: '  void recordIssued(upload, signal).catch(() => undefined);',
      tests: sync,
    },
    {
      name: 'late-request-recorded',
      promise: 'A request that was answered with 500 stores nothing more (docs/api.md 11.5)',
      file: 'lambdas/sync/issue-upload-url.ts',
      find: '  signal.throwIfAborted();\n',
      replace: '',
      tests: sync,
    },
    {
      name: 'signer-for-the-whole-bucket',
      promise: 'The URL is for one object (docs/api.md 9.8; docs/decisions/0002)',
      file: 'lambdas/sync/assume-upload-signer.ts',
      find: '`arn:${partition}:s3:::${bucketName}/${key}`',
      replace: '`arn:${partition}:s3:::${bucketName}/*`',
      tests: sync,
    },
    {
      name: 'url-for-many-puts',
      promise: 'The URL takes one PUT (docs/api.md 9.4; docs/decisions/0001)',
      file: 'lambdas/sync/presign.ts',
      find: "query: { 'If-None-Match': '*' }",
      replace: 'query: {}',
      tests: [...sync, 'test/local/upload-url-credentials.test.ts'],
    },
    {
      name: 'url-outlives-its-setting',
      promise: 'An upload URL is valid for the time that the operator set (docs/api.md 12.2)',
      file: 'lambdas/sync/presign.ts',
      find: 'expiresIn: options.lifetimeSeconds',
      replace: 'expiresIn: 2 * options.lifetimeSeconds',
      tests: sync,
    },
    {
      name: 'prefix-of-key-not-checked',
      promise: 'An object with a key of another form is not an upload (docs/storage.md)',
      file: 'storage/object-key.ts',
      find: 'objectKey.startsWith(objectKeyPrefix)',
      replace: 'objectKey.length > objectKeyPrefix.length',
      tests: objectKey,
    },
    {
      name: 'id-in-key-not-checked',
      promise: 'An object with a key of another form is not an upload (docs/storage.md)',
      file: 'storage/object-key.ts',
      find: ' && uuidV7Pattern.test(uploadId) ?',
      replace: ' && uuidV7Pattern.source ?',
      tests: objectKey,
    },
    {
      name: 'id-in-key-without-start',
      promise: 'An object with a key of another form is not an upload (docs/storage.md)',
      file: 'storage/uuid-v7.ts',
      find: '/^[0-9a-f]{8}-',
      replace: '/[0-9a-f]{8}-',
      tests: objectKey,
    },
    {
      name: 'id-in-key-without-end',
      promise: 'An object with a key of another form is not an upload (docs/storage.md)',
      file: 'storage/uuid-v7.ts',
      find: '[0-9a-f]{12}$/',
      replace: '[0-9a-f]{12}/',
      tests: objectKey,
    },
    {
      name: 'id-in-key-of-any-version',
      promise: 'The id of an upload is a UUID of version 7: uploads are ordered by it (docs/decisions/0004)',
      file: 'storage/uuid-v7.ts',
      find: '-7[0-9a-f]{3}-',
      replace: '-[0-9a-f]{4}-',
      tests: objectKey,
    },
    {
      name: 'id-in-key-of-any-variant',
      promise: 'The id of an upload is a UUID (RFC 9562 section 4.1)',
      file: 'storage/uuid-v7.ts',
      find: '[89ab][0-9a-f]{3}',
      replace: '[0-9a-f]{4}',
      tests: objectKey,
    },
    {
      name: 'id-in-key-in-upper-case',
      promise: 'The id of an upload is in lower case: uploads are ordered by it as text',
      file: 'storage/uuid-v7.ts',
      find: '[0-9a-f]{12}$/',
      replace: '[0-9a-f]{12}$/i',
      tests: objectKey,
    },
    {
      name: 'event-without-time-accepted',
      promise: 'An event of another form is refused, and ends in the dead-letter queue',
      file: 'lambdas/record-upload/object-event.ts',
      find: 'time: v.pipe(v.string(), v.isoTimestamp())',
      replace: 'time: v.string()',
      tests: recording,
    },
    {
      name: 'event-with-negative-size-accepted',
      promise: 'An event of another form is refused, and ends in the dead-letter queue',
      file: 'lambdas/record-upload/object-event.ts',
      find: 'v.number(), v.integer(), v.minValue(0)',
      replace: 'v.number(), v.integer()',
      tests: recording,
    },
    {
      name: 'etag-with-quotes',
      promise: 'An ETag is stored without quotes (docs/storage.md)',
      file: 'lambdas/record-upload/object-event.ts',
      find: "etag: etag.replaceAll('\"', '')",
      replace: 'etag',
      tests: recording,
    },
    {
      name: 'one-event-in-a-hundred-lost',
      promise: 'Every stored upload is recorded (docs/architecture.md)',
      file: 'lambdas/record-upload/record-object.ts',
      find: '  const uploadId = uploadIdOf(object.key);',
      replace: '  if (Math.random() < 0.01) {\n    return;\n  }\n  const uploadId = uploadIdOf(object.key);',
      tests: [...recording, 'test/long/uploads'],
    },
    {
      name: 'errors-swallowed-seen-by-faults',
      promise: 'After a fault of DynamoDB everything works again, and nothing is lost (docs/architecture.md)',
      file: 'storage/table.ts',
      find: "if (error instanceof Error && error.name === 'ConditionalCheckFailedException') {",
      replace: 'if (error instanceof Error) {',
      tests: ['test/long/faults'],
    },
    {
      name: 'older-upload-wins',
      promise: 'The upload that was issued last is the content (docs/decisions/0004)',
      file: 'lambdas/record-upload/record-object.ts',
      find: 'present !== undefined && present >= uploadId',
      replace: 'present === uploadId',
      tests: recording,
    },
    {
      name: 'late-upload-not-superseded',
      promise: 'Content that was replaced is deleted after its retention time',
      file: 'lambdas/record-upload/record-object.ts',
      find: 'file.contentUploadId > uploadId',
      replace: "file.contentUploadId === ''",
      tests: recording,
    },
    {
      name: 'completed-before-content',
      promise: 'A reader that sees completed finds this content, or newer, in the file',
      file: 'lambdas/record-upload/record-object.ts',
      find: '  const file = await pointFile(fileId, content, tables);\n',
      replace:
        '  await tables.completeUpload(uploadId, content);\n  const file = await pointFile(fileId, content, tables);\n',
      tests: recording,
    },
    {
      name: 'cancelled-upload-recorded',
      promise: 'A cancelled upload never becomes content',
      file: 'lambdas/record-upload/record-object.ts',
      find: "if (upload.state === 'cancelled') {",
      replace:
        "if (upload.state === 'cancelled') {\n    return { ...upload, state: 'issued' };\n  }\n  if (uploadId === '') {",
      tests: recording,
    },
    {
      name: 'tombstone-after-mark',
      promise: 'The retention time of replaced content starts, whenever the function stops',
      file: 'lambdas/record-upload/supersede.ts',
      find:
        '  await bucket.putSupersededTombstone(upload.key);\n' +
        '  await tables.markSuperseded(uploadId, timestamp(now()));',
      replace:
        '  await tables.markSuperseded(uploadId, timestamp(now()));\n' +
        '  await bucket.putSupersededTombstone(upload.key);',
      tests: recording,
    },
    {
      name: 'completed-twice',
      promise: 'An upload is completed once (docs/storage.md)',
      file: 'storage/upload.ts',
      find:
        "      'SET #state = :completed, #size = :size, #etag = :etag, #version_id = :version, #completed_at = :at',\n" +
        "    ConditionExpression: '#state = :issued',",
      replace:
        "      'SET #state = :completed, #size = :size, #etag = :etag, #version_id = :version, #completed_at = :at',\n" +
        "    ConditionExpression: '#state = :issued OR #state = :completed',",
      tests: recording,
    },
    {
      name: 'content-replaced-without-condition',
      promise: 'Two events at the same time do not lose content (docs/decisions/0004)',
      file: 'storage/file.ts',
      find: "ConditionExpression: '#content.#upload_id = :id'",
      replace: "ConditionExpression: 'attribute_exists(#content.#upload_id) OR #content.#upload_id = :id'",
      tests: recording,
    },
  ],
};
