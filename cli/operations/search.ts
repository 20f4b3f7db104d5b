import { isIdentifier } from '../../contract/identifiers.ts';
import { filesTable } from '../../storage/file.ts';
import { uploadIdOf } from '../../storage/object-key.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { NotFoundError } from '../errors.ts';
import { getClient, readClients } from './clients.ts';
import { getFile, readFiles } from './files.ts';
import { readPages, textIs } from './pages.ts';
import { listSigningKeys } from './signing-keys.ts';
import { getUpload, listUploads } from './uploads.ts';

/** What an id may be of. */
export const searchedKinds = ['client', 'file', 'upload', 'organisation', 'signing key'] as const;

export type SearchedKind = (typeof searchedKinds)[number];

/** Something that was found. */
export interface Hit {
  readonly kind: SearchedKind;
  readonly id: string;
  /** For what people have named. */
  readonly name?: string;
}

/** What came of a search for an id. */
export interface IdSearch {
  readonly hits: readonly Hit[];
  /** Where it could not be looked for, with the error. A permission that is missing for one kind hides no other. */
  readonly failures: readonly { readonly kind: SearchedKind; readonly error: unknown }[];
}

/** Looks for everything that has this id. An object key of an upload counts as the id of the upload. */
export async function findById(deployment: Deployment, text: string): Promise<IdSearch> {
  const id = uploadIdOf(text) ?? text;
  if (!isIdentifier(id)) {
    return { hits: [], failures: [] };
  }
  const finds: Readonly<Record<SearchedKind, () => Promise<string | undefined | boolean>>> = {
    client: async () => (await getClient(deployment, id)).name,
    file: async () => (await getFile(deployment, id)).name,
    upload: async () => (await getUpload(deployment, id)) !== undefined,
    organisation: () => organisationExists(deployment, id),
    'signing key': async () => (await listSigningKeys(deployment)).some(({ kid }) => kid === id),
  };
  const found = await Promise.all(searchedKinds.map((kind) => find(kind, id, finds[kind])));
  return { hits: found.flatMap(({ hits }) => hits), failures: found.flatMap(({ failures }) => failures) };
}

async function find(
  kind: SearchedKind,
  id: string,
  run: () => Promise<string | undefined | boolean>,
): Promise<IdSearch> {
  try {
    const result = await run();
    const hit = { kind, id, ...(typeof result === 'string' ? { name: result } : {}) };
    return { hits: result === false ? [] : [hit], failures: [] };
  } catch (error) {
    return { hits: [], failures: error instanceof NotFoundError ? [] : [{ kind, error }] };
  }
}

/** Whether an organisation has files or uploads. No index has the organisations of clients. */
async function organisationExists(deployment: Deployment, organisationId: string): Promise<boolean> {
  const [byOrganisation] = filesTable.indexes;
  const files = readPages(deployment, {
    table: 'FilesTableName',
    index: byOrganisation.name,
    key: textIs(byOrganisation.partitionKey, organisationId),
    filter: [],
    pageSize: 1,
  });
  const hasSome = async (pages: AsyncIterable<readonly unknown[]>) => {
    for await (const page of pages) {
      if (page.length > 0) {
        return true;
      }
    }
    return false;
  };
  return (await hasSome(files)) || hasSome(listUploads(deployment, { organisationId }, { limit: 1 }));
}

/** Clients and files with a text in their name or id, as far as they were read. */
export interface NameSearch {
  readonly hits: readonly Hit[];
  /** Items that were read. */
  readonly read: number;
  /** Whether that was all of them. */
  readonly isAll: boolean;
}

/** No index has the names, so tables are read until there are so many hits, or time is up. */
const enough = 20;

/**
 * Looks for a text in the names and ids of clients and files, in the part of the tables that can be read in the time.
 *
 * @param isTimeUp whether to stop
 */
export async function findByName(
  deployment: Deployment,
  text: string,
  isTimeUp: () => boolean,
): Promise<NameSearch> {
  const place = { enough, isTimeUp };
  const [clients, files] = await Promise.all([
    readClients(deployment, { text }, place),
    readFiles(deployment, { text }, place),
  ]);
  return {
    hits: [
      ...clients.entries.map(({ client_id: id, name }): Hit => ({ kind: 'client', id, name })),
      ...files.entries.map(({ file_id: id, name }): Hit => ({ kind: 'file', id, name })),
    ],
    read: clients.read + files.read,
    isAll: clients.next === undefined && files.next === undefined,
  };
}
