import { daysAfter, type Item, textAttributes, timestamp, timeToLive } from '../../../storage/attributes.ts';
import { contentOfUpload, contentToAttribute, updateContent } from '../../../storage/file.ts';
import { updateToCurrent, updateToSuperseded, uploadFromItem } from '../../../storage/upload.ts';
import { deletionAttributes } from '../../../storage/upload-due.ts';
import { readAll } from '../lists/read.ts';
import { uploadSource } from '../uploads/upload.ts';
import { timeOf } from './aws-clock.ts';
import type { Deployment } from './deployment.ts';
import { isSound, type Kind, kinds, readItems, updateItem } from './items.ts';
import { endOfRetention } from './retention.ts';

/**
 * State of a restored item:
 *
 * - `unchanged`: as in the copy;
 * - `superseded`: its file has other content, so the service deletes the content of the upload;
 * - `without file`: the same, but after {@link daysWithoutFile}. A file that is restored by then takes it back;
 * - `deleted`, `suspended`: as its file or its organisation;
 * - `revoked`: a client that was active in the copy, and may have been revoked since.
 */
export type Place = 'unchanged' | 'superseded' | 'without file' | 'deleted' | 'suspended' | 'revoked';

/** Days for which content waits for the restore of its file. */
export const daysWithoutFile = 7;

interface Placed {
  readonly item: Item;
  readonly place: Place;
}

/**
 * Reads the owners of items in one batch: the files of uploads, and the organisations of clients and files.
 *
 * @param items at most 100 items
 * @param reinstates true if clients return with their status. False to revoke them
 * @returns function that returns an item with the marks of its place
 */
export async function placesOf(
  deployment: Deployment,
  kind: Kind,
  items: readonly Item[],
  reinstates: boolean,
): Promise<(item: Item) => Placed | Promise<Placed>> {
  switch (kind) {
    case 'organisation':
      return (item) => ({ item, place: 'unchanged' });
    case 'client': {
      const ownerOf = await ownersOf(deployment, 'organisation', items);
      return (item) => placeClient(deployment, item, ownerOf(item), reinstates);
    }
    case 'file': {
      const ownerOf = await ownersOf(deployment, 'organisation', items);
      return async (item) => {
        const placed = followOrganisation(item, ownerOf(item));
        return { ...placed, item: await withNewestContent(deployment, placed.item) };
      };
    }
    case 'upload': {
      const fileOf = await ownersOf(deployment, 'file', items);
      const newer = items.filter((item) => isNewer(deployment, item, fileOf(item)));
      await pointFiles(deployment, newer, fileOf);
      const pointedOf = newer.length > 0 ? await ownersOf(deployment, 'file', items) : fileOf;
      return (item) => placeUpload(deployment, item, pointedOf(item));
    }
  }
}

/** Reads the owners of items. */
async function ownersOf(deployment: Deployment, kind: 'organisation' | 'file', items: readonly Item[]) {
  const { key } = kinds[kind];
  const ids = new Set(items.flatMap((item) => item[key]?.S ?? []));
  const owners = await readItems(deployment, kind, [...ids]);
  const byId = new Map(owners.map((owner) => [owner[key]?.S, owner]));
  return (item: Item) => byId.get(item[key]?.S);
}

/** Copies the suspension and the deletion of the organisation, which may be newer than the copy. */
function followOrganisation(item: Item, organisation: Item | undefined): Placed {
  if (organisation === undefined || item.deleted_at !== undefined) {
    return { item, place: 'unchanged' };
  }
  const { suspended_at: _, ...rest } = item;
  const { suspended_at, deleted_at } = organisation;
  const marks = { ...(suspended_at && { suspended_at }), ...(deleted_at && { deleted_at }) };
  const suspension = suspended_at ? 'suspended' : 'unchanged';
  return { item: { ...rest, ...marks }, place: deleted_at ? 'deleted' : suspension };
}

/** Revokes a client. Its record is lost, so nothing shows if it was revoked or a secret was removed since. */
function placeClient(
  deployment: Deployment,
  copied: Item,
  organisation: Item | undefined,
  reinstates: boolean,
): Placed {
  const { item, place } = followOrganisation(copied, organisation);
  if (copied.status?.S !== 'active' || (reinstates && place !== 'deleted')) {
    return { item, place };
  }
  const revoked = { ...item, ...textAttributes({ status: 'revoked', revoked_at: timeOf(deployment) }) };
  return place === 'deleted'
    ? { item: { ...revoked, secrets: { L: [] } }, place }
    : { item: revoked, place: 'revoked' };
}

/** True for an upload that was the content of its file. */
function wasContent({ state, superseded_at, deleted_at }: Item): boolean {
  return state?.S === 'completed' && superseded_at === undefined && deleted_at === undefined;
}

/** Marks an upload whose file has other content, is deleted, or does not exist. */
function placeUpload(deployment: Deployment, item: Item, file: Item | undefined): Placed {
  const now = timeOf(deployment);
  const deletedAt = file?.deleted_at?.S;
  if (item.deleted_at !== undefined || (deletedAt === undefined && !wasContent(item))) {
    return { item, place: 'unchanged' };
  }
  const { superseded_at = { S: deletedAt ?? now }, delete_after } = item;
  const due = wasContent(item)
    ? deletionAttributes(idOf(item), file ? now : daysAfter(now, daysWithoutFile))
    : {};
  const superseded = { ...item, superseded_at, ...textAttributes(due) };
  if (deletedAt !== undefined) {
    const kept_until = delete_after?.N && timestamp(new Date(Number(delete_after.N) * 1000));
    const deletion = textAttributes({ deleted_at: deletedAt, ...(kept_until && { kept_until }) });
    // An undo finds all records of a file that is kept.
    const end = daysAfter(endOfRetention(deployment), 2);
    return { item: { ...superseded, ...deletion, delete_after: timeToLive(end) }, place: 'deleted' };
  }
  if (file === undefined) {
    return { item: superseded, place: 'without file' };
  }
  return contentIdOf(file) === idOf(item)
    ? { item, place: 'unchanged' }
    : { item: superseded, place: 'superseded' };
}

function idOf(upload: Item): string {
  return upload.upload_id?.S ?? '';
}

function contentIdOf(file: Item): string {
  return file.content?.M?.upload_id?.S ?? '';
}

/** True if the service would have pointed the file at this upload: its record was lost, or the file is an older copy. */
function isNewer(deployment: Deployment, item: Item, file: Item | undefined): boolean {
  const isOlder = file !== undefined && file.deleted_at === undefined && contentIdOf(file) < idOf(item);
  return isOlder && wasContent(item) && isSound(deployment, 'upload', item);
}

/** Points files at newer uploads. Marks the replaced uploads before, as the service does. */
async function pointFiles(
  deployment: Deployment,
  uploads: readonly Item[],
  fileOf: (upload: Item) => Item | undefined,
): Promise<void> {
  // The newest upload comes first, and DynamoDB rejects the others.
  for (const item of uploads.toSorted((one, other) => (idOf(one) < idOf(other) ? 1 : -1))) {
    const upload = uploadFromItem(item);
    const replaced = fileOf(item)?.content?.M?.upload_id?.S;
    if (upload.state === 'completed') {
      if (replaced !== undefined) {
        await updateItem(deployment, 'upload', updateToSuperseded(replaced, timeOf(deployment)));
      }
      const update = updateContent(upload.file_id, replaced, contentOfUpload(upload));
      await updateItem(deployment, 'file', update);
    }
  }
}

/**
 * Returns the restored file with the newest content that the service knows. A later upload may have replaced
 * the content of the copy, and the lifecycle rule removes replaced content.
 */
async function withNewestContent(deployment: Deployment, restored: Item): Promise<Item> {
  const uploads = uploadSource(deployment, { file: restored.file_id?.S ?? '', status: 'completed' });
  for await (const page of readAll(deployment, uploads)) {
    for (const upload of page) {
      if (upload.upload_id < contentIdOf(restored)) {
        return restored;
      }
      const { state, superseded_at, deleted_at, upload_id } = upload;
      if (state !== 'completed' || deleted_at !== undefined) {
        continue;
      }
      // A restore without the file marked the upload.
      const isCurrent =
        superseded_at === undefined ||
        (await updateItem(deployment, 'upload', updateToCurrent(upload_id))) !== 'rejected';
      if (isCurrent) {
        return { ...restored, content: contentToAttribute(contentOfUpload(upload)) };
      }
    }
  }
  return restored;
}
