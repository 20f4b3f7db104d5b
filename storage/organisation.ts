import * as v from 'valibot';
import {
  attributeNames,
  changeEntries,
  deletionEntries,
  type Item,
  type ItemPut,
  suspensionEntries,
  type Timestamp,
  textAttribute,
  textAttributes,
  timeAttribute,
  undoEntries,
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

/** @throws {StoredDataError} if the item does not match docs/stored-items.md */
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
