import {
  organisationFromItem,
  organisationsTable,
  type StoredOrganisation,
} from '../../../storage/organisation.ts';
import { clientSource } from '../clients/client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { queue } from '../deployment/in-parallel.ts';
import { getItem } from '../deployment/items.ts';
import { fileSource } from '../files/file.ts';
import type { IndexSource, Page, PagePlace } from '../lists/list.ts';
import { readPage } from '../lists/read.ts';

/** An organisation, with the numbers of its clients and files, without deleted ones. */
export interface Organisation extends StoredOrganisation {
  readonly clients: Count;
  readonly files: Count;
}

export interface Count {
  readonly count: number;
  /** True if the count stopped early. The number is then at least `count`. */
  readonly isPartial: boolean;
}

const [newest] = organisationsTable.indexes;

/** Organisations, without those whose deletion is complete. */
const organisationSource: IndexSource<StoredOrganisation> = {
  index: { kind: 'organisation', ...newest },
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
  const { entries, ...page } = await readPage(deployment, organisationSource, place);
  const run = queue();
  const counting = entries.map((stored) => run(() => withCount(deployment, stored)));
  return { ...page, entries: await Promise.all(counting) };
}

/** @throws {OperationError} when there is no organisation with this id */
export async function getOrganisation(deployment: Deployment, id: string): Promise<Organisation> {
  return withCount(deployment, await getStoredOrganisation(deployment, id));
}

/**
 * Reads an organisation without its counts.
 *
 * @throws {OperationError} when there is no organisation with this id
 */
export async function getStoredOrganisation(deployment: Deployment, id: string): Promise<StoredOrganisation> {
  return organisationFromItem(await getItem(deployment, 'organisation', id));
}

/** Maximum number of clients, and of files, to count. */
const maxCount = 100;

async function withCount(deployment: Deployment, stored: StoredOrganisation): Promise<Organisation> {
  const selection = { organisation: stored.organisation_id };
  const [clients, files] = await Promise.all([
    readPage(deployment, clientSource(selection), { limit: maxCount }),
    readPage(deployment, fileSource(selection), { limit: maxCount }),
  ]);
  return { ...stored, clients: countOf(clients), files: countOf(files) };
}

/** Counts the entries of a page. */
export function countOf({ entries, next }: Page<unknown>): Count {
  return { count: entries.length, isPartial: next !== undefined };
}
