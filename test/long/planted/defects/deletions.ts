import type { Subject } from '../defect.ts';

const recording = ['test/lambdas/recording', 'test/lambdas/record-upload'];
const deletion = ['test/cli/admin/deletion.test.ts'];
const restore = ['test/cli/admin/restore.test.ts'];
const disableSync = ['test/cli/admin/disable-sync.test.ts'];

/** Deletions, what may still arrive while they run, and restores. */
export const deletions: Subject = {
  subject: 'deletions',
  defects: [
    {
      name: 'deleted-file-synced',
      promise: 'A deleted file is 404 (docs/api.md 8.6; docs/storage.md)',
      file: 'lambdas/sync/sync-endpoint.ts',
      find: 'file.deleted_at !== undefined || ',
      replace: '',
      tests: ['test/lambdas/sync'],
    },
    {
      name: 'content-of-a-deleted-file-taken',
      promise: 'Content that arrives after its file was deleted is discarded (docs/storage.md)',
      file: 'lambdas/recording/record-object.ts',
      find: '    if (file.deleted_at !== undefined) {',
      replace: "    if (file.deleted_at !== undefined && fileId === '') {",
      tests: recording,
    },
    {
      name: 'first-content-into-a-deleted-file',
      promise: 'A file that is deleted while its upload is recorded gets no content (docs/storage.md)',
      file: 'storage/file.ts',
      find: '`${existing} AND attribute_not_exists(#content)`',
      replace:
        "'attribute_exists(#file_id) AND (attribute_exists(#deleted_at) OR attribute_not_exists(#deleted_at)) AND attribute_not_exists(#content)'",
      tests: ['test/storage/file.test.ts', ...recording],
    },
    {
      name: 'discarded-content-for-ever',
      promise: 'Content of a deleted file goes after its retention time (docs/storage.md)',
      file: 'lambdas/recording/record-object.ts',
      find: '    await bucket.putSupersededTombstone(key);\n',
      replace: '',
      tests: recording,
    },
    {
      name: 'record-of-current-content-ends',
      promise: 'The record of an upload stays while it is the content of its file (docs/storage.md)',
      file: 'storage/upload.ts',
      find: "completing(uploadId, completion, settling, ['delete_after'])",
      replace: 'completing(uploadId, completion, settling, [])',
      tests: ['test/storage/upload.test.ts', ...recording],
    },
    {
      name: 'file-marked-after-its-uploads',
      promise: 'A deletion marks the file first, so that nothing new begins (docs/storage.md)',
      file: 'cli/operations/deletion/delete-file.ts',
      find: '  const file = await markFileDeleted(deployment, fileId, options.now());\n',
      replace:
        '  await deleteUploads(deployment, fileId, options);\n' +
        '  const file = await markFileDeleted(deployment, fileId, options.now());\n',
      tests: deletion,
    },
    {
      name: 'deletion-ends-with-uploads-left',
      promise: 'A deletion that left something can be repeated: the file has no end before (docs/storage.md)',
      file: 'cli/operations/deletion/delete-file.ts',
      find: '  if (failed.length > 0) {',
      replace: "  if (failed.length > 0 && file.file_id === '') {",
      tests: deletion,
    },
    {
      name: 'deletion-does-not-wait',
      promise: 'A URL of a request that began before the deletion is ended too (docs/operations.md)',
      file: 'cli/operations/deletion/retention.ts',
      find: '  if (left > 0) {',
      replace: '  if (left > lastIssueMilliseconds) {',
      tests: deletion,
    },
    {
      name: 'deleted-content-without-tombstone',
      promise: 'The content of a deleted file goes after its retention time (docs/storage.md)',
      file: 'cli/operations/deletion/delete-uploads.ts',
      find: '  if (hasContent) {',
      replace: "  if (hasContent && upload.key === '') {",
      tests: deletion,
    },
    {
      name: 'bytes-without-event-for-ever',
      promise: 'Bytes of a deleted file whose event was lost go as well (docs/storage.md)',
      file: 'cli/operations/deletion/delete-uploads.ts',
      find: ": upload.state === 'expired' && (await objectExists(deployment, upload.key));",
      replace: ': false;',
      tests: deletion,
    },
    {
      name: 'upload-marked-before-its-tombstone',
      promise: 'A deletion that crashed is completed by the next one (docs/storage.md)',
      file: 'cli/operations/deletion/delete-uploads.ts',
      find: '    const ended = await endUpload(deployment, upload, now);\n',
      replace:
        '    const marked = updateToDeletedUpload(\n      upload_id,\n      timestamp(new Date(now)),\n' +
        '      endOfRetention(deployment, now),\n    );\n' +
        "    await updateItem(deployment, 'UploadsTableName', marked);\n" +
        '    const ended = await endUpload(deployment, upload, now);\n',
      tests: deletion,
    },
    {
      name: 'record-gone-before-a-late-put',
      promise: 'What arrives late is known as content of a deleted file: the record is still there',
      file: 'cli/operations/deletion/delete-uploads.ts',
      find: 'return one > other ? one : other;',
      replace: 'return one;',
      tests: deletion,
    },
    {
      name: 'secrets-of-a-deleted-client-kept',
      promise: 'A deletion removes the secrets of a client immediately (client delete --help)',
      file: 'storage/client.ts',
      find: "'SET #status = :revoked, #secrets = :none, #revoked_at",
      replace:
        "'SET #status = :revoked, #secrets = list_append(if_not_exists(#secrets, :none), :none), #revoked_at",
      tests: deletion,
    },
    {
      name: 'restore-takes-newer-content-away',
      promise: 'A restored file gets its newest content, not that of the point in time (restore --help)',
      file: 'cli/operations/restore/current-content.ts',
      find: 'return newest === undefined ? restored :',
      replace: "return newest === undefined || uploadId !== '' ? restored :",
      tests: restore,
    },
    {
      name: 'restored-over-newer-content',
      promise: 'A restore never takes newer content from a file (restore --help)',
      file: 'cli/operations/restore/current-content.ts',
      find: 'contentId(present) >= uploadId',
      replace: 'contentId(present) <= uploadId',
      tests: restore,
    },
    {
      name: 'restored-although-deleted',
      promise: 'A restore brings back nothing that was deleted (docs/operations.md)',
      file: 'cli/operations/restore/restore-table.ts',
      find: "['deleted_at', 'superseded_at',",
      replace: "['superseded_at',",
      tests: restore,
    },
    {
      name: 'restored-upload-not-completed',
      promise: 'A restore takes nothing back that ended since (docs/operations.md)',
      file: 'cli/operations/restore/restore-table.ts',
      find: "'completed_at', 'cancelled_at']",
      replace: "'cancelled_at']",
      tests: restore,
    },
    {
      name: 'changed-items-restored-unasked',
      promise: 'Items that differ are kept, unless --overwrite is given (restore --help)',
      file: 'cli/operations/restore/restore-table.ts',
      find: "(kind === 'changed' && options.overwrite)",
      replace: "kind === 'changed'",
      tests: restore,
    },
    {
      name: 'restored-over-a-change-meanwhile',
      promise: 'A restore does not replace what changed while it ran (docs/operations.md)',
      file: 'cli/operations/restore/restore-table.ts',
      find: ': isStill(present, Object.keys(wanted));',
      replace: ': {};',
      tests: restore,
    },
    {
      name: 'uploads-cancelled-before-syncing-is-disabled',
      promise: 'disable-sync --cancel-uploads leaves no URL that still works (file disable-sync --help)',
      file: 'cli/operations/outstanding-uploads.ts',
      find: '  const { file } = await setSyncEnabled(deployment, fileId, false);\n  options.disabled();\n',
      replace:
        '  await cancelOutstanding(deployment, fileId, { ...options, disabledAt: 0 });\n' +
        '  const { file } = await setSyncEnabled(deployment, fileId, false);\n  options.disabled();\n',
      tests: disableSync,
    },
    {
      name: 'url-of-an-earlier-request-left',
      promise:
        'disable-sync --cancel-uploads ends URLs of requests that had begun (file disable-sync --help)',
      file: 'cli/operations/outstanding-uploads.ts',
      find: '    await options.sleep(left);\n  }\n  await cancelListed(deployment, fileId, run, options);\n',
      replace: '    await options.sleep(left);\n  }\n',
      tests: disableSync,
    },
  ],
};
