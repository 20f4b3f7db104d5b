import { join } from 'node:path';
import { type Call, requireAllowed } from '../iam/authorize.ts';
import { callerOf } from '../protocols/calls.ts';
import type { Input, Service, ServiceCall } from '../protocols/service.ts';
import type { AwsService, ServiceContext } from '../registry/aws-service.ts';
import { AwsError, unsupported } from '../shared/errors.ts';
import { isJsonObject } from '../shared/json.ts';
import { regionalArn, type StackIdentity } from '../shared/names.ts';
import { delayReads } from './delayed-reads.ts';
import { createTableProtection, type TableProtection } from './deletion-protection.ts';
import { openTableEngine, type TableEngine } from './engine.ts';
import { requireIndexKeys } from './index-keys.ts';
import { requireSupported } from './parameters.ts';
import { tableType } from './resource-types.ts';
import { isTableOperation } from './table-operations.ts';
import { createTables } from './template-tables.ts';
import { expireItems } from './time-to-live.ts';

export interface DynamoDbSettings extends ServiceContext {
  /**
   * True if an eventually consistent read returns each item as it was before its last write. A read of an
   * index always does. After a restart, reads return the stored item until the item is written again.
   */
  readonly eventuallyConsistent?: boolean | undefined;
}

/** DynamoDB. dynalite stores the tables in LevelDB. */
export const dynamoDb = {
  resourceTypes: [tableType],
  start: async (emulator) => {
    const { resources } = emulator;
    const engine = await openTables(emulator);
    return {
      endpoint: {
        protocol: 'json',
        name: 'dynamodb',
        uncounted: true,
        target: 'DynamoDB_20120810',
        namespace: 'com.amazonaws.dynamodb.v20120810',
        version: '1.0',
        serve: createDynamoDb(engine, createTableProtection(engine), emulator),
      },
      removeExpired: (now, signal) => expireItems(engine, resources, now, signal),
    };
  },
} satisfies AwsService<DynamoDbSettings>;

async function openTables(emulator: DynamoDbSettings): Promise<TableEngine> {
  const { stateDirectory, stack, resources, disposals, eventuallyConsistent } = emulator;
  const open = async (path?: string) => {
    const engine = await openTableEngine(path, stack.region, stack.accountId);
    disposals.defer(engine.close);
    return engine;
  };
  const engine = await open(join(stateDirectory, 'dynamodb'));
  await createTables(engine, resources);
  return eventuallyConsistent ? delayReads(engine, await open(), resources) : engine;
}

/**
 * DynamoDB (API reference, version 2012-08-10): operations on single tables, and BatchGetItem on one. Each call is
 * authorized separately.
 */
function createDynamoDb(engine: TableEngine, protection: TableProtection, emulator: ServiceContext): Service {
  const { stack, onCall } = emulator;
  return async (call) => {
    const { operation, input } = call;
    if (operation === 'UpdateTable') {
      requireAllowed(accessOf(call, stack), emulator);
      return protection.update(input);
    }
    if (!isTableOperation(operation)) {
      throw unsupported(`the operation ${operation}`);
    }
    requireSupported(operation, input);
    requireAllowed(accessOf(call, stack), emulator);
    if (operation === 'DescribeTable') {
      return protection.describe(input);
    }
    requireIndexKeys(input, emulator.resources);
    const reportUnits = (units: number) =>
      onCall({
        service: 'dynamodb',
        operation,
        caller: callerOf(call.principal),
        table: tableOf(operation, call.input),
        units,
      });
    const { ConsumedCapacity: capacity, ...output } = await engine
      .run(operation, { ...call.input })
      .catch((error) => {
        // A write with a false condition costs as much as the stored item ("Write operations").
        reportUnits(1);
        throw error;
      });
    reportUnits(
      [capacity].flat().reduce<number>((sum, it) => sum + Number(Object(it).CapacityUnits ?? 0), 0),
    );
    return output;
  };
}

/**
 * Returns the call to authorize. A query of an index is authorized on the index, not on the table ("Actions,
 * resources, and condition keys").
 */
function accessOf({ principal, operation, input }: ServiceCall, stack: StackIdentity): Call {
  const table = regionalArn('dynamodb', `table/${tableOf(operation, input)}`, stack);
  const resource = typeof input.IndexName === 'string' ? `${table}/index/${input.IndexName}` : table;
  return { principal, action: `dynamodb:${operation}`, resource };
}

function tableOf(operation: string, input: Input): string {
  return operation === 'BatchGetItem' ? theOnlyTable(input) : String(input.TableName);
}

/** @throws {AwsError} for a batch of several tables: the emulator authorizes a call for one table */
function theOnlyTable({ RequestItems }: Input): string {
  const [name, ...others] = isJsonObject(RequestItems) ? Object.keys(RequestItems) : [];
  if (name === undefined || others.length > 0) {
    throw new AwsError(400, 'ValidationException', 'The emulator supports only batches of one table');
  }
  return name;
}
