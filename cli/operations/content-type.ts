import { s3Client } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** One version of an uploaded object. */
interface StoredObject {
  /** Object key. */
  readonly key: string;
  readonly version_id: string;
}

/**
 * Reads the Content-Type that a client sent with its upload. It is not part of the upload's record: decision 0018 says
 * why. Needs `s3:GetObjectVersion`.
 *
 * @returns undefined when the version no longer exists, as replaced content after its retention
 */
export async function readContentType(
  deployment: Deployment,
  { key, version_id }: StoredObject,
): Promise<string | undefined> {
  const { HeadObjectCommand } = await import('@aws-sdk/client-s3');
  const s3 = await s3Client(deployment);
  try {
    const { ContentType } = await s3.send(
      new HeadObjectCommand({ Bucket: deployment.outputs.BucketName, Key: key, VersionId: version_id }),
    );
    return ContentType;
  } catch (error) {
    // The answer to HEAD has no body, so the SDK knows the status only.
    if (error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchVersion')) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Whether an upload was sent as a form: with `curl -F`, or with `requests.put(files=...)`. The object then holds the form,
 * with its boundaries and part headers, and not the file alone. The type is case-insensitive (RFC 9110 section 8.3.1).
 */
export function isForm(contentType: string | undefined): boolean {
  return /^multipart\/form-data *(;|$)/i.test(contentType ?? '');
}
