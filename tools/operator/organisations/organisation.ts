import type { Timestamp } from '../../../storage/attributes.ts';
import {
  organisationFromItem,
  organisationsTable,
  type StoredOrganisation,
} from '../../../storage/organisation.ts';
import { byCreationIndex } from '../../../storage/table.ts';
import { clientSource } from '../clients/client.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import { timeLimit } from '../deployment/aws-clock.ts';
import type { Deletable } from '../deployment/deletion.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import { getItem, kinds } from '../deployment/items.ts';
import { type File, fileSource } from '../files/file.ts';
import type { IndexSource, Page, PagePlace } from '../lists/list.ts';
import { readAll, readPage } from '../lists/read.ts';
import { formatCount } from '../text.ts';
import { countUploads, maxCountMilliseconds } from '../uploads/count.ts';

/** An organisation with its totals. Lists have only the first two. */
export interface Organisation extends StoredOrganisation {
  /** Number of clients that are not deleted. */
  readonly clients?: Count;
  /** Number of files that are not deleted. */
  readonly files?: Count;
  readonly uploads?: Count;
  /** Bytes of the current content of its files. */
  readonly current_bytes?: Count;
  /** Bytes of replaced and deleted content that S3 still stores. */
  readonly kept_bytes?: Count;
  /** Time of the newest upload URL. Absent if there is none. */
  readonly last_upload_at?: Timestamp;
}

export interface Count {
  readonly count: number;
  /** True if the count stopped early. The number is then at least `count`. */
  readonly isPartial: boolean;
}

const { partitionKey: tableKey, indexes } = organisationsTable;
const [newest] = indexes;

/** Organisations, without those whose deletion is complete. */
const organisationSource: IndexSource<StoredOrganisation> = {
  index: { kind: 'organisation', tableKey, ...newest },
  partitions: newest.shards,
  entryOf: (item) => {
    const organisation = organisationFromItem(item);
    return organisation.closed_at === undefined ? organisation : undefined;
  },
};

/** Reads a page of organisations with their counts. */
export async function readOrganisations(
  deployment: Deployment,
  place: PagePlace,
): Promise<Page<Organisation>> {
  const page = await readPage(deployment, organisationSource, place);
  const entries: Organisation[] = [];
  await inParallel([...page.entries.entries()], async ([index, stored]) => {
    entries[index] = await withCount(deployment, stored);
  });
  return { ...page, entries };
}

/**
 * Reads an organisation without its totals.
 *
 * @throws {OperationError} when there is no organisation with this id
 */
export async function getStoredOrganisation(deployment: Deployment, id: string): Promise<StoredOrganisation> {
  return organisationFromItem(await getItem(deployment, 'organisation', id));
}

async function withCount(deployment: Deployment, stored: StoredOrganisation): Promise<Organisation> {
  const [clients, files] = await Promise.all([
    countIn(deployment, 'client', stored.organisation_id),
    countIn(deployment, 'file', stored.organisation_id),
  ]);
  return { ...stored, clients, files };
}

/**
 * Counts the clients or files of an organisation that are not deleted, in their index, until the time limit. A query
 * counts about 10,000, for 128 read units.
 */
export async function countIn(
  deployment: Deployment,
  kind: 'client' | 'file',
  organisationId: string,
): Promise<Count> {
  const isTimeUp = timeLimit(deployment.now, maxCountMilliseconds);
  const database = await dynamoDBClient(deployment);
  const pages = database.paginateQuery({
    TableName: deployment.outputs[kinds[kind].table],
    IndexName: byCreationIndex.name,
    Select: 'COUNT',
    KeyConditionExpression: 'organisation_id = :id',
    FilterExpression: 'attribute_not_exists(deleted_at)',
    ExpressionAttributeValues: { ':id': { S: organisationId } },
  });
  const total = { count: 0, isPartial: false };
  for await (const { Count = 0, LastEvaluatedKey } of pages) {
    total.count += Count;
    total.isPartial = LastEvaluatedKey !== undefined && isTimeUp();
    if (total.isPartial) {
      break;
    }
  }
  return total;
}

/**
 * Reads an organisation with its totals. Each total is a minimum if the count stopped at its time limit.
 *
 * @throws {OperationError} when there is no organisation with this id
 */
export async function describeOrganisation(deployment: Deployment, id: string): Promise<Organisation> {
  const stored = await getStoredOrganisation(deployment, id);
  const [organisation, { uploads, current, kept, newest, isPartial }] = await Promise.all([
    withCount(deployment, stored),
    countUploads(deployment, { organisation: id }),
  ]);
  return {
    ...organisation,
    uploads: { count: uploads, isPartial },
    current_bytes: { count: current, isPartial },
    kept_bytes: { count: kept, isPartial },
    ...(newest && { last_upload_at: newest }),
  };
}

/** Action on a client or a file. The item contains the marks of both. */
export type ItemAction = (
  kind: 'client' | 'file',
  id: string,
  item: Deletable & Partial<Pick<File, 'suspended_at' | 'expected' | 'updated_at'>>,
) => Promise<unknown>;

/**
 * Acts on all files, and then on all clients of an organisation, several at a time. Includes deleted ones. Checks before
 * each page that the action may go on.
 */
export async function forEachItem(
  deployment: Deployment,
  organisation: string,
  check: () => Promise<void>,
  act: ItemAction,
): Promise<void> {
  const selection = { organisation, status: 'any' };
  const files = readAll(deployment, fileSource(selection), { check });
  await inParallel(files, (file) => act('file', file.file_id, file));
  const clients = readAll(deployment, clientSource(deployment, selection), { check });
  await inParallel(clients, (client) => act('client', client.client_id, client));
}

/** Formats a count: `at least 10,000`. */
export function countText({ count, isPartial }: Count, format = formatCount): string {
  return `${isPartial ? 'at least ' : ''}${format(count)}`;
}
