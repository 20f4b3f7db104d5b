/** What a presigned URL says of itself, for people: where it leads, and how long it is good for from its issue. */
export function describeUploadUrl(uploadUrl: string): string {
  const { origin, searchParams } = new URL(uploadUrl);
  return `a URL at ${origin}, good for one PUT within ${searchParams.get('X-Amz-Expires')} s`;
}
