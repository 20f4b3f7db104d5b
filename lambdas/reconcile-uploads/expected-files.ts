import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { eventIdOf, eventSchemaVersion } from '../../contract/upload-events.ts';
import { later, type Timestamp, timestamp } from '../../storage/attributes.ts';
import { maxBatchItems } from '../../storage/batch-get.ts';
import { fileFromItem, readFileRequest } from '../../storage/file.ts';
import { expectedIndex, updateDeadline } from '../../storage/file-expected.ts';
import { afterEveryKey } from '../../storage/newest-first.ts';
import { queryUntil } from '../../storage/table.ts';
import { describeError, InternalError, type Log } from '../shared/log/log.ts';
import type { SendEvent } from '../shared/recording/announce.ts';
import { createUpdate, type ReadItem } from '../shared/recording/recording-tables.ts';

export interface ExpectedDependencies {
  readonly expected: ReturnType<typeof createExpectedFiles>;
  readonly sendEvent: SendEvent;
  /** Returns true if the run can start other checks. */
  readonly hasTime: () => boolean;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Files of a partition that a run checks. If more deadlines have passed, the next runs check the others. The overdue
 * files beyond this number are not counted.
 */
const maxFiles = 1000;

/** Creates the reads and writes of watched files in DynamoDB. */
export function createExpectedFiles(dynamodb: DynamoDBClient, TableName: string, read: ReadItem) {
  return {
    /** Reads the ids in one partition of the index, by deadline. The index may lag behind the table. */
    list: async (state: string, until: Timestamp) => {
      const { Items = [] } = await dynamodb.send(
        new QueryCommand({ TableName, Limit: maxFiles, ...queryUntil(expectedIndex, state, until) }),
      );
      return Items.map(({ file_id }) => file_id?.S ?? '');
    },
    /** Reads a file, consistently. */
    find: async (fileId: string) => {
      const item = await read(TableName, readFileRequest(fileId));
      return item && fileFromItem(item);
    },
    update: createUpdate(dynamodb, TableName),
  };
}

/**
 * Checks the watched files that are overdue, or whose deadline has passed, until the time is over, and counts the overdue
 * ones. A file that cannot be checked stays due, counts as overdue, and does not stop the others.
 *
 * @throws {Error} if the index cannot be read from DynamoDB
 */
export async function checkExpectedFiles(dependencies: ExpectedDependencies): Promise<void> {
  const { expected, hasTime, now, log } = dependencies;
  const files = [
    ...(await expected.list('overdue', afterEveryKey)),
    ...(await expected.list('waiting', timestamp(now()))),
  ];
  let overdue = 0;
  // If all checks started at the same time, calls would exceed their time limits.
  while (files.length > 0 && hasTime()) {
    const checks = files.splice(0, maxBatchItems).map((file_id) =>
      isOverdue(file_id, dependencies).catch((error: unknown) => {
        log('ERROR', 'reconcileFailed', { file_id, ...describeError(error) }, { ReconciliationsFailed: 1 });
        return true;
      }),
    );
    overdue += (await Promise.all(checks)).filter(Boolean).length;
  }
  // CloudWatch charges for a metric only in hours with a value.
  if (overdue > 0) {
    log('INFO', 'filesChecked', { overdue }, { FilesOverdue: overdue });
  }
}

/**
 * Checks one file of the index, and announces a missed deadline. Sends the event before the write: after a crash in
 * between, a second event with the same `event_id` follows, and no event is lost.
 *
 * @returns true if the file is overdue now
 * @throws {Error} if a step failed; the file stays due
 */
async function isOverdue(
  file_id: string,
  { expected: files, sendEvent, now, log }: ExpectedDependencies,
): Promise<boolean> {
  const at = timestamp(now());
  const file = await files.find(file_id);
  // The index may lag behind.
  if (file?.expected_by === undefined) {
    return false;
  }
  const { expected, expected_by, content, name, organisation_id } = file;
  if (!expected || !file.sync_enabled || file.suspended_at || file.deleted_at) {
    await files.update(updateDeadline(file_id, expected_by));
    return false;
  }
  if (expected_by > at) {
    return file.expected_state === 'overdue';
  }
  const ids = { file_id, organisation_id, expected_by };
  const code = await sendEvent('overdue', {
    schema_version: eventSchemaVersion,
    event_id: eventIdOf(`${file_id}.${expected_by}`, 'overdue'),
    ...ids,
    name,
    ...expected,
    ...(content && { last_upload_id: content.upload_id, last_completed_at: content.completed_at }),
  });
  if (code !== undefined) {
    throw new InternalError(`EventBridge did not take the event of file ${file_id}: ${code}`);
  }
  log('WARN', 'fileOverdue', ids);
  const interval = expected.every_seconds * 1000;
  const late = (Date.parse(at) - Date.parse(expected_by)) % interval;
  const next = later(at, interval - late);
  return files.update(updateDeadline(file_id, expected_by, next));
}
