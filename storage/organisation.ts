import * as v from 'valibot';
import {
  attributeNames,
  changeEntries,
  deletionEntries,
  type Item,
  type ItemPut,
  type ItemUpdate,
  stillDeleted,
  suspensionEntries,
  type Timestamp,
  textAttribute,
  textAttributes,
  timeAttribute,
  timeToLive,
  undoEntries,
  updateToDeleted,
} from './attributes.ts';
import { parseStored } from './stored-data.ts';
import { newestAttributes, newestIndex, type TableKeys } from './table.ts';

export const organisationsTable = {
  partitionKey: 'organisation_id',
  indexes: [newestIndex],
} as const satisfies TableKeys;

const organisationSchema = v.object({
  organisation_id: textAttribute,
  created_at: timeAttribute,
  /** The ARN of the operator who created the item. */
  created_by: v.exactOptional(textAttribute),
  ...changeEntries,
  ...deletionEntries,
  ...undoEntries,
  ...suspensionEntries,
  /**
   * Time at which the deletion was complete. Its clients get no tokens from then on. Present together with
   * `delete_after`.
   */
  closed_at: v.exactOptional(timeAttribute),
});

export type StoredOrganisation = v.InferOutput<typeof organisationSchema>;

/** @throws {StoredDataError} if the item does not match storage/README.md */
export function organisationFromItem(item: Item): StoredOrganisation {
  return parseStored('organisation', organisationSchema, item);
}

/**
 * Stores a new organisation. Rejected if an organisation with this id exists, unless it is `replaced`, whose
 * deletion is complete.
 */
export function putNewOrganisation(
  organisationId: string,
  createdAt: Timestamp,
  replaced: Timestamp | 'nothing' = 'nothing',
): ItemPut {
  return {
    Item: textAttributes({ organisation_id: organisationId, created_at: createdAt, ...newestAttributes }),
    ConditionExpression: 'attribute_not_exists(#organisation_id) OR #closed_at = :replaced',
    ExpressionAttributeNames: attributeNames('organisation_id', 'closed_at'),
    ExpressionAttributeValues: { ':replaced': { S: replaced } },
  };
}

/**
 * Marks an organisation as deleted, and stops an undo. A repeated update keeps the first time. Rejected if the
 * organisation does not exist.
 *
 * @param erases true if the deletion erases content, and cannot be undone
 */
export function updateToDeletedOrganisation(
  organisationId: string,
  deletedAt: Timestamp,
  erases = false,
): ItemUpdate {
  return updateToDeleted(organisationKey(organisationId), deletedAt, erases);
}

/** Completes the deletion of an organisation. Rejected if the organisation is not deleted, or the undo began. */
export function updateToClosedOrganisation(
  organisationId: string,
  closedAt: Timestamp,
  deleteAfter: Timestamp,
): ItemUpdate {
  return {
    Key: organisationKey(organisationId),
    UpdateExpression: 'SET #closed_at = :at, #delete_after = :after',
    ConditionExpression: stillDeleted,
    ExpressionAttributeNames: attributeNames('closed_at', 'delete_after', 'deleted_at', 'undeleted_at'),
    ExpressionAttributeValues: { ':at': { S: closedAt }, ':after': timeToLive(deleteAfter) },
  };
}

function organisationKey(organisationId: string): Item {
  return { organisation_id: { S: organisationId } };
}
