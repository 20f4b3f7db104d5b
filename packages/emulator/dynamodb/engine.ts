import database, { type Store } from 'dynalite/db/index.js';
import validations from 'dynalite/validations/index.js';
import { AwsError, StartProblem, textOf } from '../shared/errors.ts';
import { createDirectory } from '../shared/files.ts';
import { fullDiskReason } from '../shared/full-disk.ts';
import { restoreOrStartElsewhere } from '../shared/state-file.ts';
import { joinWrites } from './joined-writes.ts';
import { findInDynalite, type TableOperation } from './table-operations.ts';

/** Input or output of an operation. */
export type JsonRecord = Record<string, unknown>;

/** dynalite without its HTTP server. Callers authenticate and authorize each request first. */
export interface TableEngine {
  /**
   * Runs an operation. The output of an operation on items contains `ConsumedCapacity`, the sum for a table
   * and its indexes.
   *
   * @throws {AwsError} the error of DynamoDB; 500 InternalServerError when dynalite itself fails
   */
  readonly run: (operation: TableOperation, input: JsonRecord) => Promise<JsonRecord>;
  /** Removes a table whose creation a kill interrupted. It contains no items. */
  readonly removeUnfinished: (tableName: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * @param path folder of the LevelDB store, which survives the end of the process. Undefined: a store in memory
 * @throws {StartProblem} naming the folder, when LevelDB cannot open it
 */
export async function openTableEngine(
  path: string | undefined,
  region: string,
  accountId: string,
): Promise<TableEngine> {
  if (path !== undefined) {
    await createDirectory(path);
  }
  const engine = open(path, region, accountId);
  await engine.store.db.open().catch((error: Error) => {
    const reason = textOf(error.cause ?? error);
    throw new StartProblem(`The tables in ${path} cannot be opened: ${reason}. ${restoreOrStartElsewhere}`);
  });
  let failed: unknown;
  return {
    run: async (operation, input) => {
      const isWrite = operation === 'CreateTable' || itemWrites.has(operation);
      // After a failed write, LevelDB's log may end in an incomplete record, and every later record would be
      // lost. The next start ends the log before the incomplete record.
      if (failed !== undefined && isWrite) {
        throw failure('The store', failed);
      }
      return run(engine, operation, input).catch((error) => {
        failed ??= isWrite && fullDiskReason(error) !== undefined ? error : undefined;
        throw error;
      });
    },
    removeUnfinished: (tableName) => settle((done) => engine.store.tableDb.del(tableName, done)),
    close: () => settle((done) => engine.store.lifecycleManager.gracefulClose(done)),
  };
}

interface Engine {
  readonly store: Store;
  readonly indexUnits: () => number;
}

function open(path: string | undefined, region: string, accountId: string): Engine {
  const store = database.create({ createTableMs: 0, path });
  store.tableDb.awsRegion = region;
  store.tableDb.awsAccountId = accountId;
  return { store, indexUnits: joinWrites(store.db) };
}

/** Operations that change items. */
export const itemWrites: ReadonlySet<TableOperation> = new Set(['DeleteItem', 'PutItem', 'UpdateItem']);

async function run(
  { store, indexUnits }: Engine,
  operation: TableOperation,
  request: JsonRecord,
): Promise<JsonRecord> {
  const { act, validation } = findInDynalite(operation);
  const input = operation === 'Scan' ? withoutConsistency(request) : request;
  return guard((done) => {
    const measured = { ...input, ReturnConsumedCapacity: 'TOTAL' };
    const isOnItems = Object.hasOwn(validation.types, 'ReturnConsumedCapacity');
    const checked = validations.checkTypes(isOnItems ? measured : input, validation.types);
    validations.checkValidations(checked, validation.types, validation.custom, store);
    act(store, checked, (error, output) =>
      done(error, itemWrites.has(operation) ? withUnits(output, indexUnits()) : output),
    );
  }, operation);
}

/** dynalite's Scan does not support ConsistentRead. An engine uses one store, so every read is consistent. */
function withoutConsistency({ ConsistentRead: _inherent, ...input }: JsonRecord): JsonRecord {
  return input;
}

/** Adds the units of the indexes to the units of the table, which dynalite returns. */
function withUnits(output: JsonRecord | undefined, indexUnits: number): JsonRecord {
  const table = output?.ConsumedCapacity as { readonly CapacityUnits: number } | undefined;
  return { ...output, ConsumedCapacity: { CapacityUnits: (table?.CapacityUnits ?? 0) + indexUnits } };
}

type Callback = (error: Error | null, output?: JsonRecord) => void;

function guard(act: (done: Callback) => void, operation: TableOperation): Promise<JsonRecord> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(toAwsError(error, operation));
    try {
      act((error, output) => (error ? fail(error) : resolve(output ?? {})));
    } catch (error) {
      fail(error);
    }
  });
}

/** Converts an error of dynalite, which contains the status and the body of DynamoDB's response. */
function toAwsError(error: unknown, operation: TableOperation): AwsError {
  if (isResponse(error)) {
    const code = error.body.__type.replace(/^.*#/, '');
    return new AwsError(error.statusCode, code, error.body.message ?? error.body.Message ?? '');
  }
  return failure(operation, error);
}

function failure(subject: string, cause: unknown): AwsError {
  const reason = fullDiskReason(cause);
  const text = `${subject} failed${reason === undefined ? '' : `: ${reason}`}`;
  const error = new AwsError(500, 'InternalServerError', text, { cause: String(cause) });
  return Object.assign(error, { cause });
}

function isResponse(
  error: unknown,
): error is { statusCode: number; body: { __type: string; message?: string; Message?: string } } {
  return typeof error === 'object' && error !== null && 'statusCode' in error && 'body' in error;
}

function settle(act: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())));
}
