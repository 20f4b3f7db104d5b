import { timestamp } from '../../../storage/attributes.ts';
import { awsMessageOf } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { headObject } from '../deployment/objects.ts';
import type { EntityDetails } from '../description/entity.ts';
import { readType } from '../files/details.ts';
import type { ShownUpload } from './fields.ts';
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
    return stored === undefined
      ? { of, notes: [] }
      : {
          of: { ...of, stored_at: timestamp(stored) },
          notes: [
            'Stored, but no event has recorded it yet: the event arrives within seconds, or is missing. The reconciliation records a stored upload soon.',
          ],
          next: [{ noun: 'upload', verb: 'reconcile', answers: { upload: uploadId } }],
        };
  } catch (error) {
    // An operator may have read access to the tables only.
    return { of, notes: [`The bucket could not be checked. ${awsMessageOf(error)}`] };
  }
}
