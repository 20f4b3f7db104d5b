import type { Deployment } from '../deployment/deployment.ts';
import { readPages } from './pages.ts';
import type { Table } from './tables.ts';

/** What a new deployment does not have yet. */
export interface FirstSteps {
  readonly hasClients: boolean;
  readonly hasFiles: boolean;
  readonly hasUploads: boolean;
}

/** Reads one item of each table. */
export async function readFirstSteps(deployment: Deployment): Promise<FirstSteps> {
  const [hasClients, hasFiles, hasUploads] = await Promise.all([
    hasItems(deployment, 'ClientsTableName'),
    hasItems(deployment, 'FilesTableName'),
    hasItems(deployment, 'UploadsTableName'),
  ]);
  return { hasClients, hasFiles, hasUploads };
}

async function hasItems(deployment: Deployment, table: Table): Promise<boolean> {
  for await (const items of readPages(deployment, { table, filter: [], pageSize: 1 })) {
    return items.length > 0;
  }
  return false;
}
