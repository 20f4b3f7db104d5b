import { createRequire } from 'node:module';
import type { Store } from 'dynalite/db/index.js';
import type { Types } from 'dynalite/validations/index.js';

const load = createRequire(import.meta.url);

/** Operations of the engine, by their names in DynamoDB. */
export const tableOperations = [
  'BatchGetItem',
  'CreateTable',
  'DeleteItem',
  'DescribeTable',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
] as const;

export type TableOperation = (typeof tableOperations)[number];

export function isTableOperation(name: string): name is TableOperation {
  return tableOperations.some((operation) => operation === name);
}

/** dynalite's implementation of an operation, and its checks of the parameters. */
interface DynaliteOperation {
  readonly act: (
    store: Store,
    input: object,
    done: (error: Error | null, output?: Record<string, unknown>) => void,
  ) => void;
  readonly validation: { readonly types: Types; readonly custom?: unknown };
}

/** Finds an operation among dynalite's files, which are named after the operations. */
export function findInDynalite(operation: TableOperation): DynaliteOperation {
  const file = `${operation.charAt(0).toLowerCase()}${operation.slice(1)}.js`;
  return { act: load(`dynalite/actions/${file}`), validation: load(`dynalite/validations/${file}`) };
}
