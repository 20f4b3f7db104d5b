import { clientIndex, readClients } from '../clients/client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { fileIndex, readFiles } from '../files/file.ts';
import type { Page, PagePlace } from '../lists/list.ts';
import { findPartitions } from '../lists/partitions.ts';

/** An organisation, and how many clients and files it has. Deleted ones do not count. */
export interface OrganisationCounts {
  readonly organisation_id: string;
  readonly clients: Count;
  readonly files: Count;
}

export interface Count {
  readonly count: number;
  /** Whether counting stopped early: there are at least `count`. */
  readonly isPartial: boolean;
}

export interface Organisations {
  /** In the order of their ids. An organisation without a client or a file that is not deleted is left out. */
  readonly organisations: readonly OrganisationCounts[];
  /** The `after` of the next page. */
  readonly next: string | undefined;
}

/** The most clients, and the most files, that are counted. */
const countedAtMost = 100;

/** Organisations have no records of their own: clients and files name them. @param after an id; `enough` are looked at */
export async function readOrganisations(
  deployment: Deployment,
  { after = '', enough }: Pick<PagePlace, 'after' | 'enough'>,
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

/** What an organisation has. An organisation that no client and no file names has nothing. */
export async function getOrganisation(
  deployment: Deployment,
  organisationId: string,
): Promise<OrganisationCounts> {
  const [clients, files] = await Promise.all([
    readClients(deployment, { organisation: organisationId }, { enough: countedAtMost }),
    readFiles(deployment, { organisation: organisationId }, { enough: countedAtMost }),
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
