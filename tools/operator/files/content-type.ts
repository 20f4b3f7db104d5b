import { s3Client } from '../deployment/aws-clients.ts';
import { explainAwsError } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { messageOf } from '../errors.ts';

/** One version of an uploaded object. */
interface StoredObject {
  /** Object key. */
  readonly key: string;
  readonly version_id: string;
}

/** The Content-Type of an object, and what to know of it. Neither when the version no longer exists. */
interface TypeWithNotes {
  readonly type: { readonly content_type?: string };
  readonly notes: readonly string[];
}

/**
 * Reads the Content-Type that a client sent with its upload. It is not part of the upload's record. Needs
 * `s3:GetObjectVersion`. An error is a note, because an operator may be allowed to read only the tables.
 */
export async function readType(
  deployment: Deployment,
  { key, version_id }: StoredObject,
): Promise<TypeWithNotes> {
  try {
    const s3 = await s3Client(deployment);
    const { ContentType } = await s3.headObject({
      Bucket: deployment.outputs.BucketName,
      Key: key,
      VersionId: version_id,
    });
    return {
      type: ContentType === undefined ? {} : { content_type: ContentType },
      notes: formNotes(ContentType),
    };
  } catch (error) {
    // The answer to HEAD has no body, so the SDK knows the status only.
    if (error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchVersion')) {
      return { type: {}, notes: [] };
    }
    const reason = messageOf(explainAwsError(error));
    return { type: {}, notes: [`The type of the content could not be read. ${reason}`] };
  }
}

/**
 * Warns of an upload that was sent as a form: with `curl -F`, or with `requests.put(files=...)`. The object then holds the
 * form, with its boundaries and part headers. The type is case-insensitive (RFC 9110 section 8.3.1).
 */
export function formNotes(contentType: string | undefined): readonly string[] {
  return /^multipart\/form-data *(;|$)/i.test(contentType ?? '')
    ? [
        'Warning: this content was sent as a form (multipart/form-data), so it holds the form and not the file alone. ' +
          'The client must send the bytes themselves and upload again: curl --upload-file FILE instead of curl -F, ' +
          'requests.put(url, data=file) instead of files=.',
      ]
    : [];
}
