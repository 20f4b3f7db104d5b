import type { Deployment } from '../deployment/deployment.ts';
import type { EntityDetails } from '../description/entity.ts';
import { readType } from '../files/content-type.ts';
import type { ShownUpload } from './fields.ts';
import { mayBeUnderWay } from './outstanding.ts';
import { getUploadWithTimeline } from './upload.ts';

/**
 * Reads an upload with its timeline and the type of its content.
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
  return mayBeUnderWay(upload, deployment.now())
    ? { of, notes: [underWayNote], next: [{ noun: 'upload', verb: 'cancel', id: uploadId }] }
    : { of, notes: [] };
}

/** Note for an upload with a PUT that may still be in progress. */
const underWayNote =
  'No use of the upload URL is recorded. A PUT that began before the URL expired may still be in progress, and is recorded when it ends. To reject such a PUT, cancel the upload URL.';
