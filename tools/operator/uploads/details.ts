import { timestamp } from '../../../storage/attributes.ts';
import { isEventLate } from '../../../storage/upload-due.ts';
import { awsMessageOf } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { headObject } from '../deployment/objects.ts';
import type { EntityDetails } from '../description/entity.ts';
import { readType } from '../files/details.ts';
import type { ShownUpload } from './fields.ts';
import { mayBeUnderWay } from './outstanding.ts';
import { getUploadWithTimeline } from './upload.ts';

/**
 * Reads an upload with its timeline and the type of its content, or the time of an object that is not recorded.
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
  if (upload.state === 'cancelled' || upload.deleted_at !== undefined) {
    return { of, notes: [] };
  }
  try {
    const stored = (await headObject(deployment, upload.key))?.LastModified;
    if (stored !== undefined) {
      return {
        of: { ...of, stored_at: timestamp(stored) },
        notes: [isEventLate(stored, new Date(deployment.now())) ? missingNote : arrivingNote],
        next: [{ noun: 'upload', verb: 'reconcile', answers: { upload: uploadId } }],
      };
    }
  } catch (error) {
    // An operator may have read access to the tables only.
    return { of, notes: [`The bucket could not be checked. ${awsMessageOf(error)}`] };
  }
  return mayBeUnderWay(upload, deployment.now())
    ? { of, notes: [underWayNote], next: [{ noun: 'upload', verb: 'cancel', id: uploadId }] }
    : { of, notes: [] };
}

const missingNote =
  'Stored, its event is missing: the upload is not recorded yet. The reconciliation records it soon.';

const arrivingNote = 'Stored, its event arrives within seconds: the upload is not recorded yet.';

/** Note for an upload with a PUT that may still be in progress. */
const underWayNote =
  'No use of the upload URL is recorded. A PUT that began before the URL expired may still be in progress, and is recorded when it ends. To reject such a PUT, cancel the upload URL.';
