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

/** The Content-Type, or why it could not be read. Neither when the version no longer exists. */
export interface TypeOrReason {
  readonly contentType?: string;
  readonly reason?: string;
}

/**
 * Reads the Content-Type that a client sent with its upload. It is not part of the upload's record. Needs
 * `s3:GetObjectVersion`. An error is a reason, because an operator may read the tables alone.
 */
export async function readTypeOrReason(
  deployment: Deployment,
  { key, version_id }: StoredObject,
): Promise<TypeOrReason> {
  const { HeadObjectCommand } = await import('@aws-sdk/client-s3');
  try {
    const s3 = await s3Client(deployment);
    const { ContentType } = await s3.send(
      new HeadObjectCommand({ Bucket: deployment.outputs.BucketName, Key: key, VersionId: version_id }),
    );
    return ContentType === undefined ? {} : { contentType: ContentType };
  } catch (error) {
    // The answer to HEAD has no body, so the SDK knows the status only.
    if (error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchVersion')) {
      return {};
    }
    return { reason: `The type of the content could not be read. ${messageOf(explainAwsError(error))}` };
  }
}

/** What to do about content that is a form. */
export const formWarning =
  'this content was sent as a form (multipart/form-data), so it holds the form and not the file alone. ' +
  'The client must send the bytes themselves and upload again: curl --upload-file FILE instead of curl -F, ' +
  'requests.put(url, data=file) instead of files=.';

/**
 * Whether an upload was sent as a form: with `curl -F`, or with `requests.put(files=...)`. The object then holds the form,
 * with its boundaries and part headers, and not the file alone. The type is case-insensitive (RFC 9110 section 8.3.1).
 */
export function isForm(contentType: string | undefined): boolean {
  return /^multipart\/form-data *(;|$)/i.test(contentType ?? '');
}
