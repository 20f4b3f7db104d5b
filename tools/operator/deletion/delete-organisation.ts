import { filesTable } from '../../../storage/file.ts';
import { type Client, clientOf } from '../clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type File, fileOf } from '../files.ts';
import { mapPages, type Pages, readPages, textIs } from '../pages.ts';
import { finishClient, markClientDeleted } from './delete-client.ts';
import { type FileDeleted, finishFile, markFileDeleted } from './delete-file.ts';
import type { NotDeleted } from './delete-uploads.ts';
import { type DeletionOptions, waitForLastIssue } from './retention.ts';

/** What an organisation has. */
export interface Belongings {
  readonly clients: number;
  readonly files: number;
  /** Clients and files whose deletion is not complete. */
  readonly left: number;
  /** Those of them whose deletion has not begun. */
  readonly unmarked: number;
}

/** Counts the clients and files of an organisation, those that are deleted included. */
export async function countBelongings(deployment: Deployment, organisationId: string): Promise<Belongings> {
  const counts = { clients: 0, files: 0, left: 0, unmarked: 0 };
  for await (const page of clientsOf(deployment, organisationId)) {
    counts.clients += page.length;
    counts.left += page.filter(isLeft).length;
    counts.unmarked += page.filter(isUnmarked).length;
  }
  for await (const page of filesOf(deployment, organisationId)) {
    counts.files += page.length;
    counts.left += page.filter(isLeft).length;
    counts.unmarked += page.filter(isUnmarked).length;
  }
  return counts;
}

/** What became of an organisation. */
export interface OrganisationDeleted {
  readonly clients: number;
  readonly files: number;
  readonly uploads: number;
  readonly cancelled: number;
  readonly failed: readonly NotDeleted[];
  /** Clients and files that were made while it was deleted. The deletion must be repeated. */
  readonly made: number;
}

/**
 * Deletes everything of an organisation. All clients and files are marked first, so that nothing new begins. It can be
 * repeated after a crash at any point: clients and files that have their end are left out.
 */
export async function deleteOrganisation(
  deployment: Deployment,
  organisationId: string,
  options: DeletionOptions,
): Promise<OrganisationDeleted> {
  await forEachLeft(clientsOf(deployment, organisationId), ({ client_id }) =>
    markClientDeleted(deployment, client_id, options.now()),
  );
  let last = '';
  await forEachLeft(filesOf(deployment, organisationId), async ({ file_id }) => {
    const { deleted_at } = await markFileDeleted(deployment, file_id, options.now());
    last = deleted_at > last ? deleted_at : last;
  });
  if (last !== '') {
    await waitForLastIssue(last, options);
  }
  const done = await finishFiles(deployment, organisationId, options);
  const clients =
    done.failed.length > 0
      ? 0
      : await forEachLeft(clientsOf(deployment, organisationId), (client) =>
          client.deleted_at === undefined
            ? Promise.resolve()
            : finishClient(deployment, client, options.now()),
        );
  // The index can be behind the ends that were just written, but not behind the marks.
  const { unmarked } = await countBelongings(deployment, organisationId);
  return { ...done, clients, made: unmarked };
}

async function finishFiles(deployment: Deployment, organisationId: string, options: DeletionOptions) {
  const run = { files: 0, uploads: 0, cancelled: 0, failed: [] as NotDeleted[] };
  await forEachLeft(filesOf(deployment, organisationId), async (file) => {
    if (file.deleted_at === undefined) {
      return;
    }
    const progress = (done: number) => options.progress(run.uploads + done);
    add(run, await finishFile(deployment, file, { ...options, progress }));
  });
  return run;
}

function add(
  run: { files: number; uploads: number; cancelled: number; failed: NotDeleted[] },
  { uploads, cancelled, failed }: FileDeleted,
): void {
  run.files += failed.length === 0 ? 1 : 0;
  run.uploads += uploads;
  run.cancelled += cancelled;
  run.failed.push(...failed);
}

/** @returns how many there were */
async function forEachLeft<Entry extends Pick<File, 'delete_after'>>(
  pages: Pages<Entry>,
  act: (entry: Entry) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  for await (const page of pages) {
    for (const entry of page.filter(isLeft)) {
      await act(entry);
      count += 1;
    }
  }
  return count;
}

/** The end of a client or a file is written last, so without one there is something left to do. */
function isLeft({ delete_after }: Pick<File, 'delete_after'>): boolean {
  return delete_after === undefined;
}

function isUnmarked({ deleted_at }: Pick<File, 'deleted_at'>): boolean {
  return deleted_at === undefined;
}

/** In any order. The table has no index by organisation, so it is read from end to end. */
function clientsOf(deployment: Deployment, organisationId: string): Pages<Client> {
  const filter = textIs('organisation_id', organisationId);
  return mapPages(readPages(deployment, { table: 'ClientsTableName', filter }), clientOf);
}

function filesOf(deployment: Deployment, organisationId: string): Pages<File> {
  const [{ name, partitionKey }] = filesTable.indexes;
  const key = textIs(partitionKey, organisationId);
  return mapPages(readPages(deployment, { table: 'FilesTableName', index: name, key, filter: [] }), fileOf);
}
