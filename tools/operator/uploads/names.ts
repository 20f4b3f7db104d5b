import { clientFromItem } from '../../../storage/client.ts';
import { fileFromItem } from '../../../storage/file.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readItems } from '../deployment/items.ts';
import type { Upload } from './upload.ts';

/** Names by id. What is not there any more has none. */
export interface Names {
  readonly files: ReadonlyMap<string, string>;
  readonly clients: ReadonlyMap<string, string>;
}

/**
 * Reads the names of the files and clients of uploads.
 *
 * @param uploads at most 100
 */
export async function namesFor(
  deployment: Deployment,
  uploads: readonly Pick<Upload, 'file_id' | 'client_id'>[],
): Promise<Names> {
  const fileIds = uploads.map(({ file_id }) => file_id);
  const clientIds = uploads.map(({ client_id }) => client_id);
  const [files, clients] = await Promise.all([
    readItems(deployment, 'file', fileIds),
    clientNames(deployment, clientIds),
  ]);
  return { files: new Map(files.map(fileFromItem).map(({ file_id, name }) => [file_id, name])), clients };
}

/** Reads the names of clients. @param ids at most 100, each any number of times */
export async function clientNames(deployment: Deployment, ids: readonly string[]): Promise<Names['clients']> {
  const clients = await readItems(deployment, 'client', ids);
  return new Map(clients.map(clientFromItem).map(({ client_id, name }) => [client_id, name]));
}
