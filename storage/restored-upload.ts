import { daysAfter, type Item, type Timestamp, textAttributes } from './attributes.ts';
import { deletionAttributes, dueAttributes } from './upload-due.ts';

/** Days for which the content of an upload without a file is kept. The restored file takes it back. */
const daysWithoutFile = 7;

/**
 * Returns an upload from a copy of the table with the state that its file requires now. An upload that was content, and
 * is not the content of the file now, becomes superseded and due. If it is newer than the content of the file, the
 * service records it again.
 *
 * @param file the file now. Undefined: it does not exist
 */
export function restoredUpload(upload: Item, file: Item | undefined, now: Timestamp): Item {
  const id = upload.upload_id?.S ?? '';
  const { state, superseded_at } = upload;
  const { deleted_at, delete_after, content } = file ?? {};
  const deletion = delete_after && { superseded_at: superseded_at ?? deleted_at, deleted_at, delete_after };
  const current = file && !deleted_at ? (content?.M?.upload_id?.S ?? '') : undefined;
  if (state?.S !== 'completed' || superseded_at || current === id) {
    return { ...upload, ...deletion };
  }
  if (current !== undefined && current < id) {
    return { ...upload, ...textAttributes({ state: 'issued', ...dueAttributes(id, now) }) };
  }
  const due = deletionAttributes(id, file ? now : daysAfter(now, daysWithoutFile));
  return { ...upload, ...textAttributes({ superseded_at: deleted_at?.S ?? now, ...due }), ...deletion };
}
