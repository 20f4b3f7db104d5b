/** A page of Amazon's documentation. */
export interface S3Page {
  readonly title: string;
  readonly url: string;
}

const reference = 'https://docs.aws.amazon.com/AmazonS3/latest/API';
const guide = 'https://docs.aws.amazon.com/AmazonS3/latest/userguide';

export const s3Pages = {
  putObject: { title: 'API reference, PutObject', url: `${reference}/API_PutObject.html` },
  errorResponses: { title: 'API reference, Error responses', url: `${reference}/ErrorResponses.html` },
  queryAuthentication: {
    title: 'API reference, Authenticating requests: using query parameters',
    url: `${reference}/sigv4-query-string-auth.html`,
  },
  signatureAge: {
    title: 'API reference, Amazon S3 Signature Version 4 authentication specific policy keys',
    url: `${reference}/bucket-policy-s3-sigv4-conditions.html`,
  },
  presigned: {
    title: 'User guide, Download and upload objects with presigned URLs',
    url: `${guide}/using-presigned-url.html`,
  },
  conditionalWrites: {
    title: 'User guide, How to prevent object overwrites with conditional writes',
    url: `${guide}/conditional-writes.html`,
  },
  uploading: { title: 'User guide, Uploading objects', url: `${guide}/upload-objects.html` },
} as const satisfies Readonly<Record<string, S3Page>>;
