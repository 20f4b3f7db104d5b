import type { Subject } from '../defect.ts';

const histories = ['test/lambdas/reconcile-uploads'];
const stored = ['test/storage/upload-due.test.ts', 'test/storage/upload-indexes.test.ts'];

/** Uploads whose events do not come, and upload URLs that nobody uses. */
export const reconciliation: Subject = {
  subject: 'reconciliation',
  defects: [
    {
      name: 'settled-upload-stays-due',
      promise: 'What a run costs follows what is due (docs/operations.md)',
      file: 'storage/upload.ts',
      find: "(settling === 'settled' ? ['due_shard', 'due_at'] : [])",
      replace: "(settling === 'settled' ? [] : [])",
      tests: stored,
    },
    {
      name: 'upload-never-due',
      promise: 'Uploads whose events were lost are recorded without help (docs/operations.md)',
      file: 'storage/upload.ts',
      find: '        ...dueAttributes(upload.upload_id, upload.expires_at),\n',
      replace: '',
      tests: stored,
    },
    {
      name: 'half-of-the-partitions-read',
      promise: 'Uploads whose events were lost are recorded without help (docs/operations.md)',
      file: 'storage/upload-due.ts',
      find: "['0', '1', '2', '3', '4', '5', '6', '7'] as const",
      replace: "['0', '1', '2', '3'] as const",
      tests: stored,
    },
    {
      name: 'stored-upload-expires',
      promise: 'What is in the bucket is recorded (docs/operations.md)',
      file: 'lambdas/reconcile-uploads/reconcile-upload.ts',
      find: '  if (object !== undefined) {',
      replace: '  if (object !== undefined && object.size === 0) {',
      tests: histories,
    },
    {
      name: 'slow-upload-not-awaited',
      promise: 'An upload that expired unused is looked at again 24 hours later (docs/operations.md)',
      file: 'lambdas/reconcile-uploads/reconcile-upload.ts',
      find: '  const isLast = last <= at;',
      replace: '  const isLast = last !== at;',
      tests: histories,
    },
    {
      name: 'expiry-not-announced',
      promise: 'An upload URL that nobody used gets an event (docs/events.md)',
      file: 'lambdas/reconcile-uploads/reconcile-upload.ts',
      find: "    await announce({ kind: 'expired', upload, at });\n",
      replace: '',
      tests: histories,
    },
    {
      name: 'one-failure-stops-the-run',
      promise: 'An upload that fails stops no other (docs/operations.md)',
      file: 'lambdas/reconcile-uploads/reconcile.ts',
      find: '    return await reconcileUpload(found, dependencies);',
      replace: '    return reconcileUpload(found, dependencies);',
      tests: histories,
    },
    {
      name: 'replaced-content-forgotten-after-a-crash',
      promise: 'An upload is settled when what it replaced has its tombstone (docs/decisions/0030)',
      file: 'lambdas/recording/record-object.ts',
      find: "isLast ? 'settled' : 'open'",
      replace: "isLast ? 'settled' : 'settled'",
      tests: histories,
    },
    {
      name: 'run-without-an-end',
      promise: 'A run ends after four and a half minutes (docs/operations.md)',
      file: 'lambdas/reconcile-uploads/reconcile.ts',
      find: '      if (!hasTime()) {',
      replace: '      if (!hasTime() && page.length === 0) {',
      tests: histories,
    },
    {
      name: 'schedule-once-a-day',
      promise: 'The service looks at what is due every five minutes (docs/operations.md)',
      file: 'lib/upload-reconciler.ts',
      find: '      schedule: Schedule.rate(interval),',
      replace: '      schedule: Schedule.rate(Duration.days(1)),',
      tests: ['test/lib/functions.test.ts'],
    },
    {
      name: 'cancellation-announced-without-its-time',
      promise: 'A cancelled upload keeps its time (docs/storage.md)',
      file: 'storage/upload-due.ts',
      find: '#cancelled_at = if_not_exists(#cancelled_at, :at) REMOVE',
      replace: '#cancelled_at = :at REMOVE',
      tests: stored,
    },
  ],
};
