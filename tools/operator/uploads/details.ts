import { isEventLate } from '../../../storage/unrecorded.ts';
import { explainAwsError } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { EntityDetails } from '../description/entity.ts';
import { messageOf } from '../errors.ts';
import { readType } from '../files/content-type.ts';
import type { ShownUpload } from './fields.ts';
import { mayBeUnderWay } from './outstanding.ts';
import { storedAt } from './stored.ts';
import { getUploadWithTimeline } from './upload.ts';

/**
 * Reads an upload with its timeline, and the type of its content. Checks the bucket for the bytes of an upload
 * that is not recorded.
 *
 * @throws {OperationError} when there is no upload with this id
 */
export async function describeUpload(
  deployment: Deployment,
  uploadId: string,
): Promise<EntityDetails<ShownUpload>> {
  const { upload, timeline } = await getUploadWithTimeline(deployment, uploadId);
  const of = { ...upload, timeline };
  if (upload.state === 'completed') {
    const { notes, ...type } = await readType(deployment, upload);
    return { of: { ...of, ...type }, notes };
  }
  if (upload.state === 'cancelled') {
    return { of, notes: [] };
  }
  const notes: string[] = [];
  const stored = await storedAt(deployment, upload.key).catch((error: unknown) => {
    // An operator may have read access to the tables only.
    notes.push(`The bucket could not be checked for the bytes. ${messageOf(explainAwsError(error))}`);
    return undefined;
  });
  if (stored !== undefined) {
    const stored_at = stored.toISOString();
    return isEventLate(stored, new Date(deployment.now()))
      ? {
          of: { ...of, stored_at },
          notes: [missingNote],
          next: [{ noun: 'upload', verb: 'reconcile', answers: { upload: uploadId } }],
        }
      : { of: { ...of, stored_at }, notes: [arrivingNote] };
  }
  return mayBeUnderWay(upload, deployment.now())
    ? { of, notes: [...notes, underWayNote], next: [{ noun: 'upload', verb: 'cancel', id: uploadId }] }
    : { of, notes };
}

const missingNote =
  'The bytes are stored, their event is missing: the upload is not recorded yet. The reconciliation records it ' +
  'soon, or now:';

const arrivingNote = 'The bytes are stored. Their event arrives within seconds, and records the upload.';

/** Note for an upload with a PUT that may still be in progress. */
const underWayNote =
  'No use of the upload URL is recorded. A PUT that began before the URL expired may still be in progress, and is recorded when it ends. To reject such a PUT, cancel the upload URL.';
