import type { Content } from '../../../storage/file.ts';
import { awsMessageOf } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { headObject } from '../deployment/objects.ts';
import type { EntityDetails } from '../description/entity.ts';
import type { ShownFile } from './fields.ts';
import { getFile } from './file.ts';

/**
 * Reads a file with the type of its content.
 *
 * @throws {OperationError} when there is no file with this id
 */
export async function describeFile(
  deployment: Deployment,
  fileId: string,
): Promise<EntityDetails<ShownFile>> {
  const { content, ...file } = await getFile(deployment, fileId);
  if (content === undefined) {
    return { of: file, notes: [] };
  }
  const { notes, ...type } = await readType(deployment, content);
  return { of: { ...file, content: { ...content, ...type } }, notes };
}

/**
 * Reads the Content-Type that a client sent with its upload, with notes about the type. Reads it from S3,
 * because the record of the upload lacks it. Both are empty if the version no longer exists. Needs
 * `s3:GetObjectVersion`. An error becomes a note, because an operator may have read access to the tables
 * only.
 */
export async function readType(
  deployment: Deployment,
  { key, version_id }: Pick<Content, 'key' | 'version_id'>,
): Promise<{ readonly content_type?: string | undefined; readonly notes: readonly string[] }> {
  try {
    const content_type = (await headObject(deployment, key, version_id))?.ContentType;
    return { content_type, notes: formNotes(content_type) };
  } catch (error) {
    const reason = awsMessageOf(error);
    return { notes: [`The type of the content could not be read. ${reason}`] };
  }
}

/**
 * Warns of an upload that was sent as a form: with `curl -F`, or with `requests.put(files=...)`. The object
 * then contains the form, with its boundaries and part headers. The type is case-insensitive (RFC 9110
 * section 8.3.1).
 */
export function formNotes(contentType: string | undefined): readonly string[] {
  return /^multipart\/form-data *(;|$)/i.test(contentType ?? '')
    ? [
        'Warning: this content was sent as a form (multipart/form-data), so it contains the form around the file. ' +
          'The client must upload again and send only the bytes of the file: curl --upload-file FILE instead of curl -F, ' +
          'requests.put(url, data=file) instead of files=.',
      ]
    : [];
}
