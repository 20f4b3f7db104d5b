import { createRequire } from 'node:module';
import { join } from 'node:path';
import { localDeployment } from '../../cli/deployment/local-deployment.ts';
import type { Item } from '../../storage/attributes.ts';
import { startLocalRun } from '../../test/support/local-run.ts';
import { manyClients, manyUploads } from '../../test/support/many-items.ts';

/** How much is stored before anything is measured. */
export interface Amount {
  readonly clients: number;
  readonly uploads: number;
}

/** The parts of dynalite that know where items are in LevelDB. It has no types of its own. */
interface Dynalite {
  create(options: { path: string; createTableMs: number }): Store;
  createKey(item: Item, table: TableDescription): string;
  getIndexActions(
    indexes: readonly unknown[],
    existing: undefined,
    item: Item,
    table: TableDescription,
  ): { readonly puts: readonly { readonly index: string; readonly key: string; readonly item: Item }[] };
}

interface TableDescription {
  readonly GlobalSecondaryIndexes?: readonly unknown[];
}

type Done = (error: Error | null, table?: TableDescription) => void;

interface Store {
  readonly db: { batch(changes: readonly Change[], done: Done): void };
  readonly lifecycleManager: { gracefulClose(done: Done): void };
  getTable(name: string, done: Done): void;
}

interface Change {
  readonly type: 'put';
  readonly key: string;
  readonly value: Item;
}

const dynalite = createRequire(import.meta.url)('dynalite/db/index.js') as Dynalite;

/** The files that the uploads are of: see {@link manyUploads}. */
export const seededFiles = 100;

/**
 * Fills the tables of a state folder while no run uses it. The items go straight into the store of the emulator, which
 * takes a tenth of the time of PutItem.
 */
export async function seed(stateDirectory: string, { clients, uploads }: Amount): Promise<void> {
  const run = await startLocalRun({ stateDirectory });
  const { outputs } = await localDeployment(stateDirectory);
  await run.stop();
  const store = dynalite.create({ path: join(stateDirectory, 'aws', 'dynamodb'), createTableMs: 0 });
  await fill(store, outputs.UploadsTableName, manyUploads(uploads));
  await fill(store, outputs.ClientsTableName, manyClients(clients));
  await fill(store, outputs.FilesTableName, files());
  await settled((done) => store.lifecycleManager.gracefulClose(done));
}

function* files(): Generator<Item> {
  for (let index = 0; index < seededFiles; index += 1) {
    const at = { S: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString() };
    yield {
      file_id: { S: fileId(index) },
      organisation_id: { S: 'acme' },
      name: { S: `orders ${index}` },
      sync_enabled: { BOOL: true },
      created_at: at,
      updated_at: at,
    };
  }
}

export function fileId(index: number): string {
  return `file_${String(index).padStart(26, '0')}`;
}

const batchLength = 3000;

async function fill(store: Store, name: string, items: Iterable<Item>): Promise<void> {
  const table = await settled((done) => store.getTable(name, done));
  if (table === undefined) {
    throw new Error(`The run made no table ${name}`);
  }
  let batch: Change[] = [];
  for (const item of items) {
    batch.push(...changesOf(name, table, item));
    if (batch.length >= batchLength) {
      const changes = batch;
      batch = [];
      await settled((done) => store.db.batch(changes, done));
    }
  }
  await settled((done) => store.db.batch(batch, done));
}

/** One item in its table and in each index. */
function changesOf(name: string, table: TableDescription, item: Item): readonly Change[] {
  const { puts } = dynalite.getIndexActions(table.GlobalSecondaryIndexes ?? [], undefined, item, table);
  return [
    { type: 'put', key: `item-${name}~${dynalite.createKey(item, table)}`, value: item },
    ...puts.map(
      ({ index, key, item: value }): Change => ({
        type: 'put',
        key: `index-global~${name}~${index}~${key}`,
        value,
      }),
    ),
  ];
}

function settled(act: (done: Done) => void): Promise<TableDescription | undefined> {
  return new Promise((resolve, reject) =>
    act((error, table) => (error === null || error === undefined ? resolve(table) : reject(error))),
  );
}
