import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../storage/attributes.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { UsageError } from '../errors.ts';
import { expressions, type PageRead } from './pages.ts';

/** A part of a list: what a page of a console shows, and where the next one begins. */
export interface Portion<Entry> {
  readonly entries: readonly Entry[];
  /** Where the next portion begins. Undefined at the end of the list. */
  readonly next: string | undefined;
  /** How many items were read for it, also those that a filter left out. */
  readonly read: number;
}

/** Where a portion begins, and when it is long enough. */
export interface PortionPlace {
  /** Where to begin: the `next` of the portion before. Default: at the start. */
  readonly after?: string | undefined;
  /** Stops when at least so many entries were found. */
  readonly enough: number;
  /** Stops also then: a filter that leaves out nearly everything must not read the whole table. */
  readonly isTimeUp: () => boolean;
}

/** What to read of a table. */
interface PortionRead<Entry> extends Pick<PageRead, 'table' | 'index' | 'key' | 'filter'>, PortionPlace {
  /** The attributes of the table's key, and of the index's. All are texts. */
  readonly keyNames: readonly string[];
  readonly entryOf: (item: Item) => Entry;
  readonly matches: (entry: Entry) => boolean;
}

/**
 * Reads a table from a place on, 1 MB at a time, until there is enough, time is up, or the table ends. The entries are in
 * the order of the table or index: a table has none that means anything.
 *
 * @throws {UsageError} when `after` is not the end of a portion
 */
export async function readPortion<Entry>(
  deployment: Deployment,
  { table, index, key, filter, keyNames, after, enough, isTimeUp, entryOf, matches }: PortionRead<Entry>,
): Promise<Portion<Entry>> {
  const { QueryCommand, ScanCommand } = await import('@aws-sdk/client-dynamodb');
  const client = await dynamoDBClient(deployment);
  const shared = {
    TableName: deployment.outputs[table],
    ...(index === undefined ? { ConsistentRead: true } : { IndexName: index }),
    ...expressions(key ?? [], filter),
  };
  const entries: Entry[] = [];
  let read = 0;
  let start = after === undefined ? undefined : keyOf(after, keyNames);
  do {
    const input = { ...shared, ...(start !== undefined && { ExclusiveStartKey: start }) };
    const answer =
      key === undefined
        ? await client.send(new ScanCommand(input))
        : await client.send(new QueryCommand({ ...input, ScanIndexForward: false }));
    entries.push(...(answer.Items ?? []).map(entryOf).filter(matches));
    read += answer.ScannedCount ?? 0;
    start = answer.LastEvaluatedKey;
  } while (start !== undefined && entries.length < enough && !isTimeUp());
  return { entries, next: start === undefined ? undefined : placeOf(start, keyNames), read };
}

/** Where a portion ends, as text for an address: the key of its last item. */
export function placeOf(key: Readonly<Record<string, AttributeValue>>, keyNames: readonly string[]): string {
  return Buffer.from(JSON.stringify(keyNames.map((name) => key[name]?.S ?? ''))).toString('base64url');
}

function keyOf(place: string, keyNames: readonly string[]): Item {
  const values = parsePlace(place);
  if (
    values.length !== keyNames.length ||
    !values.every((value) => typeof value === 'string' && value !== '')
  ) {
    throw new UsageError(
      'The address names a place in the list that does not exist. Start at its first page.',
    );
  }
  return Object.fromEntries(keyNames.map((name, position) => [name, { S: String(values[position]) }]));
}

function parsePlace(place: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(place, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
