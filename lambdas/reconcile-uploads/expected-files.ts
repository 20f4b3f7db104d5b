import { type DynamoDBClient, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { EventDetail } from '../../contract/upload-event-schemas.ts';
import { eventIdOf, eventSchemaVersion } from '../../contract/upload-events.ts';
import { type Item, type ItemUpdate, type Timestamp, timestamp } from '../../storage/attributes.ts';
import { type File, fileFromItem, readFileRequest } from '../../storage/file.ts';
import {
  deadlineAfter,
  deadlineAfterMissed,
  type Expected,
  type ExpectedFile,
  type ExpectedState,
  expectedFileFromItem,
  queryExpected,
  updateDeadline,
  updateToUnexpected,
} from '../../storage/file-expected.ts';
import { conditionalWrite } from '../../storage/table.ts';
import { describeError, InternalError, type Log } from '../shared/log/log.ts';
import type { SendEvent } from '../shared/recording/announce.ts';
import type { ReadItem } from '../shared/recording/recording-tables.ts';
import { forEachFound, type RunLimits } from './for-each-found.ts';

export interface ExpectedDependencies {
  readonly expected: ExpectedFiles;
  readonly sendEvent: SendEvent;
  readonly now: () => Date;
  readonly log: Log;
}

export type ExpectedFiles = ReturnType<typeof createExpectedFiles>;

/** Sorts after every time. */
const always = '~';

/** Creates the reads of the index of watched files, and the writes of such files, in DynamoDB. */
export function createExpectedFiles(dynamodb: DynamoDBClient, tableName: string, read: ReadItem) {
  return {
    /** Reads one partition of the index, by deadline, page by page. The index may lag behind the table. */
    list: async function* (
      state: ExpectedState,
      until: Timestamp = always,
    ): AsyncIterable<readonly ExpectedFile[]> {
      let after: Item | undefined;
      do {
        const input = { TableName: tableName, ...queryExpected(state, until), ExclusiveStartKey: after };
        const page = await dynamodb.send(new QueryCommand(input));
        yield (page.Items ?? []).map(expectedFileFromItem);
        after = page.LastEvaluatedKey;
      } while (after !== undefined);
    },
    /** Reads a file, consistently. */
    find: async (fileId: string): Promise<File | undefined> => {
      const item = await read(tableName, readFileRequest(fileId));
      return item && fileFromItem(item);
    },
    /** @returns `false` if the condition failed and the file did not change */
    update: async (update: ItemUpdate): Promise<boolean> => {
      const write = dynamodb.send(new UpdateItemCommand({ TableName: tableName, ...update }));
      return (await conditionalWrite(write)) !== 'rejected';
    },
  };
}

/** State of a file after its check. `unexpected`: the service does not check it any more. */
type ExpectedOutcome = ExpectedState | 'unexpected';

/**
 * Checks the watched files whose deadline has passed, and counts the files that are overdue. A file that cannot be
 * checked stays due, and does not stop the others.
 *
 * @throws {Error} if the index cannot be read from DynamoDB
 */
export async function checkExpectedFiles(dependencies: ExpectedDependencies & RunLimits): Promise<void> {
  const { expected, now, log } = dependencies;
  const at = timestamp(now());
  const counts: Record<ExpectedOutcome, number> = { waiting: 0, overdue: 0, unexpected: 0 };
  const check = async (found: ExpectedFile) =>
    found.expected_by > at ? found.expected_state : checkOrReport(found, dependencies);
  await forEachFound([expected.list('waiting', at), expected.list('overdue')], check, counts, dependencies);
  // CloudWatch charges for a metric only in hours with a value.
  if (counts.overdue > 0) {
    log('INFO', 'filesChecked', counts, { FilesOverdue: counts.overdue });
  }
}

async function checkOrReport(
  found: ExpectedFile,
  dependencies: ExpectedDependencies,
): Promise<ExpectedOutcome> {
  try {
    return await checkExpectedFile(found, dependencies);
  } catch (error) {
    const { file_id } = found;
    dependencies.log(
      'ERROR',
      'reconcileFailed',
      { file_id, ...describeError(error) },
      { ReconciliationsFailed: 1 },
    );
    return found.expected_state;
  }
}

/**
 * Checks one file whose deadline has passed. Sends the event before the write: after a crash in between, a second event
 * with the same `event_id` follows, and no event is lost.
 *
 * @throws {Error} if a step failed; the file stays due
 */
async function checkExpectedFile(
  found: ExpectedFile,
  { expected: files, sendEvent, now, log }: ExpectedDependencies,
): Promise<ExpectedOutcome> {
  const file = await files.find(found.file_id);
  if (file?.expected_by !== found.expected_by) {
    // The index lags behind, or content arrived, or another run checked the file.
    return 'waiting';
  }
  const { expected, content, file_id, organisation_id } = file;
  const isPaused = !file.sync_enabled || file.suspended_at !== undefined || file.deleted_at !== undefined;
  if (expected === undefined || isPaused) {
    await files.update(updateToUnexpected(found));
    return 'unexpected';
  }
  const at = timestamp(now());
  const deadline = laterOf(found.expected_by, content && deadlineAfter(content.completed_at, expected));
  if (deadline > at) {
    await files.update(updateDeadline(found, 'waiting', deadline));
    return 'waiting';
  }
  const code = await sendEvent({ kind: 'overdue', detail: overdueDetail(file, expected, deadline) });
  if (code !== undefined) {
    throw new InternalError(`EventBridge did not take the event of file ${file_id}: ${code}`);
  }
  const next = deadlineAfterMissed(deadline, expected, at);
  if (!(await files.update(updateDeadline(found, 'overdue', next)))) {
    return 'waiting';
  }
  log('WARN', 'fileOverdue', { file_id, organisation_id, expected_by: deadline });
  return 'overdue';
}

/** Returns the later of two times. */
function laterOf(first: Timestamp, second: Timestamp = first): Timestamp {
  return first > second ? first : second;
}

function overdueDetail(
  { file_id, organisation_id, name, content }: File,
  expected: Expected,
  deadline: Timestamp,
): EventDetail<'overdue'> {
  return {
    schema_version: eventSchemaVersion,
    event_id: eventIdOf(`${file_id}.${deadline}`, 'overdue'),
    file_id,
    organisation_id,
    name,
    ...expected,
    expected_by: deadline,
    ...(content && { last_upload_id: content.upload_id, last_completed_at: content.completed_at }),
  };
}
