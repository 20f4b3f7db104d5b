import { callerOf, type OnCall } from '../calls.ts';
import { type Authorize, type Call, requireAllowed } from '../iam/authorize.ts';
import type { Service, ServiceCall } from '../protocols/service.ts';
import { AwsError } from '../shared/errors.ts';
import { isJsonObject } from '../shared/json.ts';
import { regionalArn, type StackIdentity } from '../shared/names.ts';
import type { TableProtection } from './deletion-protection.ts';
import { isTableOperation, type TableEngine } from './engine.ts';

/**
 * DynamoDB (API reference, version 2012-08-10): operations on single tables, and BatchGetItem on one. Each call is
 * authorized separately.
 */
export function createDynamoDb(
  engine: TableEngine,
  protection: TableProtection,
  authorize: Authorize,
  stack: StackIdentity,
  onCall: OnCall,
): Service {
  const ofTables = { DescribeTable: protection.describe, UpdateTable: protection.update };
  return async (call) => {
    const { operation } = call;
    if (operation === 'DescribeTable' || operation === 'UpdateTable') {
      requireAllowed(accessOf(call, stack), { authorize, stack });
      return ofTables[operation](call.input);
    }
    if (!isTableOperation(operation)) {
      throw new AwsError(400, 'UnknownOperationException', `${operation} is not supported by the emulator`);
    }
    requireAllowed(accessOf(call, stack), { authorize, stack });
    const tell = (units: number) =>
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
        // A write whose condition does not hold costs as much as the item that is there ("Write operations").
        tell(1);
        throw error;
      });
    tell([capacity].flat().reduce<number>((sum, it) => sum + Number(Object(it).CapacityUnits ?? 0), 0));
    return output;
  };
}

/** A query of an index is a call on the index, not on its table ("Actions, resources, and condition keys"). */
function accessOf({ principal, operation, input }: ServiceCall, stack: StackIdentity): Call {
  const table = regionalArn('dynamodb', `table/${tableOf(operation, input)}`, stack);
  const resource = typeof input.IndexName === 'string' ? `${table}/index/${input.IndexName}` : table;
  return { principal, action: `dynamodb:${operation}`, resource };
}

function tableOf(operation: string, input: ServiceCall['input']): string {
  return operation === 'BatchGetItem' ? theOnlyTable(input) : String(input.TableName);
}

/** @throws {AwsError} for a batch of several tables, of which each would have to be authorized */
function theOnlyTable({ RequestItems }: ServiceCall['input']): string {
  const [name, ...others] = isJsonObject(RequestItems) ? Object.keys(RequestItems) : [];
  if (name === undefined || others.length > 0) {
    throw new AwsError(400, 'ValidationException', 'The emulator takes a batch of exactly one table');
  }
  return name;
}
