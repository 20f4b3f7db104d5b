import { HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { type Came, changed, send, sendRaw } from './requests.ts';
import { type S3Page, s3Pages } from './s3-pages.ts';

/** A URL, with the key of its object. */
interface KeyedUrl {
  readonly url: string;
  readonly key: string;
}

/** The storage that the requests go to. */
export interface RowStorage {
  readonly bucket: string;
  /** The operator's client. */
  readonly s3: S3Client;
  readonly issue: () => Promise<KeyedUrl>;
  /** A URL that was issued some seconds ago for an hour. */
  readonly issuedAgo: (seconds: number) => Promise<KeyedUrl>;
  /** Uses a URL when the session that signed it has ended. */
  readonly afterSession: (use: (url: string) => Promise<Came>) => Promise<Came>;
  /** A URL that the operator signed some seconds ago, for a time in seconds. */
  readonly signedAgo: (seconds: number, lifetimeSeconds: number) => Promise<string>;
}

/** One request, or one way of using an upload URL, and its answer. */
export interface Row {
  readonly sent: string;
  readonly act: (storage: RowStorage) => Promise<Came>;
  /** As S3 documents it. */
  readonly documented: { readonly status: number; readonly code?: string };
  readonly page: S3Page;
  /** What else the row shows. */
  readonly note?: string;
}

const errors = s3Pages.errorResponses;
const fiveGibibytes = 5_368_709_120;

export const rows: readonly Row[] = [
  {
    sent: 'The first PUT, within the hour',
    act: async ({ issue }) => send((await issue()).url),
    documented: { status: 200 },
    page: s3Pages.putObject,
    note: 'Empty body, `ETag`, `x-amz-checksum-crc64nvme`',
  },
  {
    sent: 'The first PUT, of an empty file',
    act: async ({ issue }) => send((await issue()).url, { body: '' }),
    documented: { status: 200 },
    page: s3Pages.putObject,
  },
  {
    sent: 'The same PUT again',
    act: async ({ issue }) => {
      const { url } = await issue();
      await send(url);
      return send(url, { body: 'other content' });
    },
    documented: { status: 412, code: 'PreconditionFailed' },
    page: s3Pages.conditionalWrites,
    note: 'The object keeps the first content',
  },
  {
    sent: 'The first PUT, after the upload was cancelled',
    act: async ({ issue, s3, bucket }) => {
      const { url, key } = await issue();
      const tombstone = { Body: '', ContentLength: 0, IfNoneMatch: '*', Tagging: 'tombstone=cancelled' };
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, ...tombstone }));
      return send(url);
    },
    documented: { status: 412, code: 'PreconditionFailed' },
    page: s3Pages.conditionalWrites,
  },
  {
    sent: 'Two PUTs at the same time: the one that fails',
    act: async ({ issue }) => {
      const { url } = await issue();
      const answers = await Promise.all([send(url), send(url)]);
      if (answers.filter(({ status }) => status === 200).length !== 1) {
        throw new Error('Not one of them won');
      }
      return answers.find(({ status }) => status !== 200) ?? { status: 0 };
    },
    documented: { status: 412, code: 'PreconditionFailed' },
    page: s3Pages.conditionalWrites,
    note: 'S3 may also answer 409 `ConditionalRequestConflict`; the local S3 never does',
  },
  {
    sent: 'A PUT in the last minute of the hour',
    act: async ({ issuedAgo }) => send((await issuedAgo(3540)).url),
    documented: { status: 200 },
    page: s3Pages.presigned,
  },
  {
    sent: 'A PUT after the hour',
    act: async ({ issuedAgo }) => send((await issuedAgo(3601)).url),
    documented: { status: 403, code: 'AccessDenied' },
    page: s3Pages.queryAuthentication,
  },
  {
    sent: 'A PUT to a URL that was signed more than an hour ago for a longer time, by any signer',
    act: async ({ signedAgo }) => send(await signedAgo(3700, 7200)),
    documented: { status: 403, code: 'AccessDenied' },
    page: s3Pages.signatureAge,
    note: 'The bucket policy denies it (`s3:signatureAge`)',
  },
  {
    sent: 'GET',
    act: async ({ issue }) => send((await issue()).url, { method: 'GET', body: null }),
    documented: { status: 403, code: 'SignatureDoesNotMatch' },
    page: errors,
  },
  {
    sent: 'POST',
    act: async ({ issue }) => send((await issue()).url, { method: 'POST' }),
    documented: { status: 403, code: 'SignatureDoesNotMatch' },
    page: errors,
  },
  {
    sent: 'DELETE',
    act: async ({ issue }) => send((await issue()).url, { method: 'DELETE', body: null }),
    documented: { status: 403, code: 'SignatureDoesNotMatch' },
    page: errors,
  },
  {
    sent: 'PUT to another key',
    act: async ({ issue }) => {
      const [mine, other] = [await issue(), await issue()];
      return send(mine.url.replace(mine.key, other.key));
    },
    documented: { status: 403, code: 'SignatureDoesNotMatch' },
    page: errors,
  },
  ...changes('If-None-Match', undefined, '`If-None-Match` removed'),
  ...changes('X-Amz-Expires', '7200', 'a longer `X-Amz-Expires`'),
  ...changes('X-Amz-Signature', '0'.repeat(64), 'another `X-Amz-Signature`'),
  ...changes('partNumber', '1&uploadId=x', 'the parameters of a multipart upload added'),
  {
    sent: 'PUT with an `x-amz-acl` header, or another `x-amz-*` header that is not signed',
    act: async ({ issue }) => send((await issue()).url, { headers: { 'x-amz-acl': 'public-read' } }),
    documented: { status: 403, code: 'AccessDenied' },
    page: errors,
  },
  {
    sent: 'PUT with other headers, such as `Content-Type` and `User-Agent`',
    act: async ({ issue }) => send((await issue()).url, { headers: { 'content-type': 'text/csv' } }),
    documented: { status: 200 },
    page: s3Pages.putObject,
  },
  {
    sent: 'PUT of a form in place of the file: `curl -F`, or `requests.put(url, files=...)`',
    act: async ({ issue, s3, bucket }) => {
      const { url, key } = await issue();
      const form = new FormData();
      form.set('file', new Blob(['content']), 'orders.csv');
      const came = await send(url, { body: form });
      const { ContentType = '' } = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
      if (!ContentType.startsWith('multipart/form-data; boundary=')) {
        throw new Error(`It is stored as ${ContentType}`);
      }
      return came;
    },
    documented: { status: 200 },
    page: s3Pages.putObject,
    note: 'The form is stored, with its boundaries, so the content is wrong. `file show`, `upload show` and `file download` warn of the stored `Content-Type`',
  },
  {
    sent: 'PUT with an `Authorization` header',
    act: async ({ issue }) => send((await issue()).url, { headers: { authorization: 'Bearer token' } }),
    documented: { status: 400, code: 'InvalidArgument' },
    page: errors,
  },
  {
    sent: 'PUT without `X-Amz-Signature`, or without another parameter of the signature',
    act: async ({ issue }) => send(changed((await issue()).url, 'X-Amz-Signature')),
    documented: { status: 400, code: 'AuthorizationQueryParametersError' },
    page: errors,
  },
  {
    sent: 'PUT without any parameter of the signature',
    act: async ({ issue }) => send((await issue()).url.split('?')[0] ?? ''),
    documented: { status: 403, code: 'AccessDenied' },
    page: errors,
  },
  {
    sent: 'PUT after the signer’s session has ended, which is never before the URL expires',
    // A URL that claims a day, to look behind its expiry.
    act: ({ afterSession }) => afterSession((url) => send(changed(url, 'X-Amz-Expires', '86400'))),
    documented: { status: 400, code: 'ExpiredToken' },
    page: errors,
  },
  {
    sent: 'PUT with a wrong `Content-MD5`',
    act: async ({ issue }) =>
      send((await issue()).url, { headers: { 'content-md5': 'CY9rzUYh03PK3k6DJie09g==' } }),
    documented: { status: 400, code: 'BadDigest' },
    page: errors,
  },
  {
    sent: 'PUT of 5,368,709,120 bytes, with `Expect: 100-continue`',
    act: async ({ issue }) =>
      sendRaw((await issue()).url, [`Content-Length: ${fiveGibibytes}`, 'Expect: 100-continue']),
    documented: { status: 100 },
    page: s3Pages.uploading,
    note: '`test/system/limits/` also sends the bytes',
  },
  {
    sent: 'PUT of 5,368,709,121 bytes',
    act: async ({ issue }) => sendRaw((await issue()).url, [`Content-Length: ${fiveGibibytes + 1}`]),
    documented: { status: 400, code: 'EntityTooLarge' },
    page: errors,
    note: 'S3 answers before it reads the body',
  },
  {
    sent: 'PUT without `Content-Length` (`Transfer-Encoding: chunked`)',
    act: async ({ issue }) =>
      sendRaw((await issue()).url, ['Transfer-Encoding: chunked'], '3\r\nabc\r\n0\r\n\r\n'),
    documented: { status: 411, code: 'MissingContentLength' },
    page: errors,
  },
  {
    sent: 'PUT with a body that is cut short, then HEAD of the object by the operator',
    act: async ({ issue, s3, bucket }) => {
      const { url, key } = await issue();
      await sendRaw(url, ['Content-Length: 1000'], 'only a part', true).catch(() => undefined);
      const head = s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
      return head.then(
        () => ({ status: 200 }),
        (error: { $metadata: { httpStatusCode: number } }) => ({ status: error.$metadata.httpStatusCode }),
      );
    },
    documented: { status: 404 },
    page: s3Pages.putObject,
    note: 'Nothing is stored, and the URL can still be used',
  },
];

/** A PUT with one part of the signed query changed. */
function changes(name: string, value: string | undefined, what: string): readonly Row[] {
  return [
    {
      sent: `PUT with ${what}`,
      act: async ({ issue }) => send(changed((await issue()).url, name, value)),
      documented: { status: 403, code: 'SignatureDoesNotMatch' },
      page: errors,
    },
  ];
}
