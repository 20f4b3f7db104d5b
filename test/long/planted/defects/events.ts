import type { Subject } from '../defect.ts';

const announcing = ['test/lambdas/upload-events'];
const recording = ['test/lambdas/recording/announced.test.ts', 'test/lambdas/recording'];
const running = ['test/local/upload-events.test.ts'];
const putEvents = ['test/emulator/events/put-events.test.ts'];
const poster = ['test/local/events/event-poster.test.ts'];

/** Events of uploads: that they are sent, what they say, and where the local run brings them. */
export const events: Subject = {
  subject: 'events',
  defects: [
    {
      name: 'entry-that-failed-ignored',
      promise:
        'An event is sent at least once: an entry that EventBridge did not take is an error (docs/events.md)',
      file: 'lambdas/upload-events/announce.ts',
      find: 'if (FailedEntryCount !== 0) {',
      replace: 'if (FailedEntryCount === -1) {',
      tests: announcing,
    },
    {
      name: 'announced-without-waiting',
      promise: 'An event is sent before the write that settles the upload (docs/decisions/0029)',
      file: 'lambdas/recording/record-object.ts',
      find: "    await announce({ kind: 'completed', upload, content, isNewestContent });",
      replace:
        "    void announce({ kind: 'completed', upload, content, isNewestContent }).catch(() => undefined);",
      tests: recording,
    },
    {
      name: 'settled-upload-announced-again',
      promise: 'What is settled is not announced again (docs/decisions/0029)',
      file: 'lambdas/recording/record-object.ts',
      find: '  if (!wasAnnounced(upload)) {\n    await announce({',
      replace: '  if (wasAnnounced !== undefined) {\n    await announce({',
      tests: recording,
    },
    {
      name: 'completed-upload-announced-at-each-attempt',
      promise: 'What is completed is not announced again (docs/decisions/0029)',
      file: 'lambdas/recording/record-object.ts',
      find: 'isSettled(upload) || upload.announced === true',
      replace: 'isSettled(upload)',
      tests: recording,
    },
    {
      name: 'cancellation-not-announced',
      promise: 'A cancelled upload has its event (docs/events.md)',
      file: 'lambdas/recording/record-object.ts',
      find: "  await announce({ kind: 'cancelled', upload, at });\n",
      replace: '',
      tests: recording,
    },
    {
      name: 'event-id-of-the-moment',
      promise: 'A repetition has the same event_id (docs/events.md)',
      file: 'lambdas/upload-events/announce.ts',
      find: 'event_id: `${upload.upload_id}.${kind}`',
      replace: 'event_id: `${upload.upload_id}.${kind}.${Math.random()}`',
      tests: announcing,
    },
    {
      name: 'event-id-without-its-kind',
      promise: 'No other event has the event_id: an upload may expire and then be completed (docs/events.md)',
      file: 'lambdas/upload-events/announce.ts',
      find: 'event_id: `${upload.upload_id}.${kind}`',
      replace: 'event_id: upload.upload_id',
      tests: announcing,
    },
    {
      name: 'every-content-the-newest',
      promise: 'is_newest_content says whether the file has later content (docs/events.md)',
      file: 'lambdas/recording/record-object.ts',
      find: 'const isNewestContent = file.contentUploadId === uploadId;',
      replace: "const isNewestContent = file.contentUploadId !== '';",
      tests: recording,
    },
    {
      name: 'checksum-left-out',
      promise: 'An event has the checksum where S3 gave one (docs/events.md)',
      file: 'lambdas/upload-events/announce.ts',
      find: 'return { version_id, size, etag, ...checksum, completed_at };',
      replace: 'return { version_id, size, etag, ...(etag === value ? checksum : {}), completed_at };',
      tests: announcing,
    },
    {
      name: 'request-not-recorded',
      promise:
        'One id goes from the access log to the record and the events of an upload (docs/operations.md)',
      file: 'lambdas/sync/issue-upload-url.ts',
      find: '    request_id: order.requestId,\n',
      replace: '',
      tests: ['test/lambdas/sync', ...running],
    },
    {
      name: 'request-not-in-the-log-of-record-upload',
      promise: 'One id goes from the access log to the log of record-upload (docs/operations.md)',
      file: 'lambdas/recording/record-object.ts',
      find: 'return { upload_id, file_id, request_id };',
      replace: 'return { upload_id, file_id, request_id: request_id?.slice(0, 0) };',
      tests: running,
    },
    {
      name: 'any-source-on-the-bus',
      promise: 'The functions may send events of this service only (docs/events.md)',
      file: 'lib/upload-events.ts',
      find: "      conditions: { StringEquals: { 'events:source': eventSource } },\n",
      replace: '',
      tests: ['test/lib/permissions.test.ts'],
    },
    {
      name: 'schema-of-another-event',
      promise: 'Each event that a running stack sends is as the published schema says (docs/events.md)',
      file: 'contract/events/upload-completed.schema.json',
      find: '"const": "Upload Completed"',
      replace: '"const": "Upload Complete"',
      tests: running,
    },
    {
      name: 'any-number-of-entries',
      promise:
        'The emulator refuses what EventBridge refuses: more than ten entries (API reference, PutEvents)',
      file: 'emulator/events/service.ts',
      find: ' || entries.length > mostEntries) {',
      replace: ' || entries.length > 10 * mostEntries) {',
      tests: putEvents,
    },
    {
      name: 'put-events-without-permission',
      promise: 'The emulator enforces IAM (emulator/README.md)',
      file: 'emulator/events/service.ts',
      find: '  if (!authorize(access).allowed) {',
      replace: '  if (!authorize(access)) {',
      tests: putEvents,
    },
    {
      name: 'rule-hears-every-bus',
      promise: 'A rule gets the events of its own bus (EventBridge User Guide, "Event buses")',
      file: 'emulator/events/bus.ts',
      find: 'target.bus === bus && matchesEventPattern',
      replace: 'matchesEventPattern',
      tests: ['test/emulator/events'],
    },
    {
      name: 'event-forgotten-after-a-refusal',
      promise: 'An event is sent to the URL until it is taken (docs/events.md)',
      file: 'local/events/event-poster.ts',
      find: '  if (!answer.ok) {',
      replace: '  if (answer.status === 0) {',
      tests: poster,
    },
    {
      name: 'event-sent-before-it-is-kept',
      promise: 'An event that was not taken is sent by the next run (docs/events.md)',
      file: 'local/events/event-poster.ts',
      find: '      await writeFileAtomically(fileOf(directory, event), JSON.stringify(event));\n',
      replace: '',
      tests: poster,
    },
    {
      name: 'half-line-left-in-the-log',
      promise: 'events.jsonl has one event in each line, also after a kill (docs/events.md)',
      file: 'local/events/event-log.ts',
      find: '  await file.truncate(size);\n  let last',
      replace: '  let last',
      tests: ['test/local/events/event-log.test.ts'],
    },
    {
      name: 'repetition-taken-twice-by-the-example',
      promise: 'The example consumer stores an event once (docs/events.md)',
      file: 'examples/consumers/cdk/handler/consume.mjs',
      find: "        ConditionExpression: 'attribute_not_exists(event_id)',\n",
      replace: '',
      tests: ['test/examples/consumers.test.ts'],
    },
  ],
};
