import { clientIndex, readClients } from '../clients/client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { fileIndex, readFiles } from '../files/file.ts';
import type { Page } from '../lists/list.ts';
import { findPartitions } from '../lists/partitions.ts';

/** How many clients and files an organisation has that are not deleted. */
export interface OrganisationCounts {
  readonly organisation_id: string;
  readonly clients: Count;
  readonly files: Count;
}

export interface Count {
  readonly count: number;
  /** Whether counting stopped: there are at least so many. */
  readonly isPartial: boolean;
}

export interface Organisations {
  /** In the order of their ids. One of which everything is deleted is left out. */
  readonly organisations: readonly OrganisationCounts[];
  /** The `after` of those that follow. */
  readonly next: string | undefined;
}

/** So many newest clients and files are counted. */
const countedAtMost = 100;

/** Organisations have no records of their own: clients and files name them. @param after an id; `enough` are looked at */
export async function readOrganisations(
  deployment: Deployment,
  { after = '', enough }: { readonly after?: string | undefined; readonly enough: number },
): Promise<Organisations> {
  const found = await Promise.all([clientIndex, fileIndex].map((index) => findPartitions(deployment, index)));
  const ids = [...new Set(found.flat())].sort().filter((id) => id > after);
  const looked = ids.slice(0, enough);
  const organisations = await Promise.all(looked.map((id) => getOrganisation(deployment, id)));
  return {
    organisations: organisations.filter(({ clients, files }) => hasAny(clients) || hasAny(files)),
    next: ids.length > enough ? looked.at(-1) : undefined,
  };
}

/** What an organisation has. One that nobody named has nothing. */
export async function getOrganisation(
  deployment: Deployment,
  organisationId: string,
): Promise<OrganisationCounts> {
  const [clients, files] = await Promise.all([
    readClients(deployment, { organisationId }, { enough: countedAtMost }),
    readFiles(deployment, { organisationId }, { enough: countedAtMost }),
  ]);
  return { organisation_id: organisationId, clients: countOf(clients), files: countOf(files) };
}

/** How many entries were read. */
export function countOf({ entries, next }: Page<unknown>): Count {
  return { count: entries.length, isPartial: next !== undefined };
}

function hasAny({ count, isPartial }: Count): boolean {
  return count > 0 || isPartial;
}
