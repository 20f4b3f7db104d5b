import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../storage/attributes.ts';
import { dynamoDBClient } from './deployment/aws-clients.ts';
import type { Deployment } from './deployment/deployment.ts';
import type { Table } from './tables.ts';

/** A list, page by page. A page is read only when it is asked for, so that one page at a time is in memory. */
export type Pages<Entry> = AsyncIterable<readonly Entry[]>;

/** A condition on one attribute. */
export type Condition =
  | {
      readonly name: string;
      readonly is: '=' | '<' | '<=' | '>' | '>=';
      readonly value: AttributeValue;
    }
  | { readonly name: string; readonly between: readonly [AttributeValue, AttributeValue] };

/** The condition that a text attribute has this value. None for an undefined value. */
export function textIs(name: string, value: string | undefined): readonly Condition[] {
  return value === undefined ? [] : [{ name, is: '=', value: { S: value } }];
}

/** Selects by time. */
export interface TimeRange {
  /** From this time on. */
  readonly since?: string | undefined;
  /** Before this time. */
  readonly until?: string | undefined;
}

/** Whether a time is in the range. */
export function isWithin(time: string, { since, until }: TimeRange): boolean {
  return (since === undefined || time >= since) && (until === undefined || time < until);
}

/** What to read of a table. */
export interface PageRead {
  readonly table: Table;
  /** The index to query. Default: the table itself. */
  readonly index?: string;
  /** Conditions on the keys. Without them the whole table is scanned. */
  readonly key?: readonly Condition[];
  /** Conditions on other attributes. DynamoDB reads the items, and leaves out those that do not meet them. */
  readonly filter: readonly Condition[];
  /** The most items that DynamoDB reads for one page. Default: 1 MB of them, which is also its own limit. */
  readonly pageSize?: number | undefined;
  /** Called after each page with the number of items read so far, also those that a filter left out. */
  readonly progress?: ((items: number) => void) | undefined;
}

/** Reads a table or an index page by page. An index is read from the end: its sort keys descend. */
export async function* readPages(
  deployment: Deployment,
  { table, index, key, filter, pageSize, progress }: PageRead,
): AsyncGenerator<readonly Item[]> {
  const { paginateQuery, paginateScan } = await import('@aws-sdk/client-dynamodb');
  const client = await dynamoDBClient(deployment);
  const shared = {
    TableName: deployment.outputs[table],
    // DynamoDB reads an index with eventual consistency only.
    ...(index === undefined ? { ConsistentRead: true } : { IndexName: index }),
    ...(pageSize !== undefined && { Limit: pageSize }),
    ...expressions(key ?? [], filter),
  };
  const pages =
    key === undefined
      ? paginateScan({ client }, shared)
      : paginateQuery({ client }, { ...shared, ScanIndexForward: false });
  let read = 0;
  for await (const { Items = [], ScannedCount = 0 } of pages) {
    read += ScannedCount;
    progress?.(read);
    if (Items.length > 0) {
      yield Items;
    }
  }
}

type Expressions = Pick<
  QueryCommandInput,
  'KeyConditionExpression' | 'FilterExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/** The expressions of conditions. DynamoDB refuses one that is empty, and a placeholder that none uses. */
function expressions(key: readonly Condition[], filter: readonly Condition[]): Expressions {
  const names: Record<string, string> = {};
  const values: Record<string, AttributeValue> = {};
  const placeholder = (value: AttributeValue) => {
    const name = `:v${Object.keys(values).length}`;
    values[name] = value;
    return name;
  };
  const text = (condition: Condition) => {
    names[`#${condition.name}`] = condition.name;
    return 'between' in condition
      ? `#${condition.name} BETWEEN ${condition.between.map(placeholder).join(' AND ')}`
      : `#${condition.name} ${condition.is} ${placeholder(condition.value)}`;
  };
  const [keyText, filterText] = [key, filter].map((conditions) => conditions.map(text).join(' AND '));
  return {
    ...(keyText && { KeyConditionExpression: keyText }),
    ...(filterText && { FilterExpression: filterText }),
    ...((keyText || filterText) && {
      ExpressionAttributeNames: names,
    }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

/** Changes each entry of each page. */
export async function* mapPages<From, To>(
  pages: Pages<From>,
  change: (entry: From) => To,
): AsyncGenerator<readonly To[]> {
  for await (const page of pages) {
    yield page.map(change);
  }
}

/** Whether one of the values has the text in it, in any case of letters. */
export function includesText(text: string, ...values: readonly string[]): boolean {
  const wanted = text.toLowerCase();
  return values.some((value) => value.toLowerCase().includes(wanted));
}

/** All entries in one array: for lists that are known to be short. */
export async function allOf<Entry>(pages: Pages<Entry>): Promise<readonly Entry[]> {
  const all: Entry[][] = [];
  for await (const page of pages) {
    all.push([...page]);
  }
  return all.flat();
}
