import type { S3ServiceException } from '@aws-sdk/client-s3';
import { OperationError } from '../errors.ts';
import { s3Client } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/**
 * Reads the metadata of an object from S3. Needs `s3:ListBucket` as well: without it, S3 responds with 403
 * for a missing object.
 *
 * @param VersionId version of the object. Default: the newest
 * @returns undefined when there is no such object
 */
export async function headObject(deployment: Deployment, Key: string, VersionId?: string) {
  const s3 = await s3Client(deployment);
  try {
    return await s3.headObject({ Bucket: deployment.outputs.BucketName, Key, VersionId });
  } catch (error) {
    // The response to HEAD has no body, so the SDK knows only the status.
    const { name, $metadata } = Object(error) as Partial<S3ServiceException>;
    if (name === 'NotFound' || name === 'NoSuchVersion') {
      return undefined;
    }
    if ($metadata?.httpStatusCode === 403) {
      const action = VersionId === undefined ? 's3:GetObject' : 's3:GetObjectVersion';
      throw new OperationError(
        `S3 responded with 403: the AWS credentials do not allow ${action}, or are not valid.`,
      );
    }
    throw error;
  }
}
