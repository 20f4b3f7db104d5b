import {
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';

/** Every key of a bucket that has a version, once. */
export async function listKeys(s3: S3Client, bucketName: string): Promise<string[]> {
  const keys = new Set<string>();
  let [keyMarker, versionIdMarker]: (string | undefined)[] = [];
  do {
    const page: ListObjectVersionsCommandOutput = await s3.send(
      new ListObjectVersionsCommand({
        Bucket: bucketName,
        KeyMarker: keyMarker,
        VersionIdMarker: versionIdMarker,
      }),
    );
    for (const { Key = '' } of page.Versions ?? []) keys.add(Key);
    [keyMarker, versionIdMarker] = page.IsTruncated ? [page.NextKeyMarker, page.NextVersionIdMarker] : [];
  } while (keyMarker !== undefined);
  return [...keys];
}
