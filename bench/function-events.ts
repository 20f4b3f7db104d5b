import type { RequestKind } from './billed-time/inputs.ts';
import type { Setting } from './setting.ts';

/** The function that each kind of request is for. */
export const functionOf: Readonly<Record<RequestKind, string>> = {
  token: 'token',
  volumes: 'volumes',
  sync: 'sync',
  documents: 'well-known',
  content: 'record-upload',
  tombstone: 'record-upload',
};

const uploadId = '01971f5e-7c00-7000-8000-000000000002';
const replacedId = '01971f5e-7c00-7000-8000-000000000001';
const key = `uploads/${uploadId}`;

/**
 * Events of each kind, as JSON. Every volume list and every sync comes with a token of its own, which costs more than one
 * that was verified before.
 */
export function eventMaker({ clientId, clientSecret, fileId, newToken }: Setting) {
  const form = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`;
  const bearer = async () => ({ authorization: `Bearer ${await newToken()}` });
  const makers: Readonly<Record<RequestKind, () => Promise<object>>> = {
    token: async () => ({
      ...httpEvent('POST /oauth/token', { 'content-type': 'application/x-www-form-urlencoded' }),
      body: Buffer.from(form).toString('base64'),
      isBase64Encoded: true,
    }),
    volumes: async () => httpEvent('GET /v0/volumes', await bearer()),
    sync: async () => ({
      ...httpEvent('POST /v0/files/{fileId}/sync', await bearer()),
      pathParameters: { fileId },
    }),
    documents: async () => httpEvent('GET /.well-known/jwks.json', {}),
    content: async () => objectEvent(1000),
    tombstone: async () => objectEvent(0),
  };
  return async (kind: RequestKind): Promise<string> => JSON.stringify(await makers[kind]());
}

/** API Gateway, "AWS Lambda proxy integrations for HTTP APIs", payload format 2.0. */
function httpEvent(routeKey: string, headers: Readonly<Record<string, string>>) {
  const [method, path] = routeKey.split(' ');
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: '',
    headers,
    isBase64Encoded: false,
    requestContext: { requestId: 'billed-time', http: { method, path } },
  };
}

/** Amazon S3 User Guide, "EventBridge event message structure". */
function objectEvent(size: number) {
  const object = { key, size, etag: '0123456789abcdef0123456789abcdef', 'version-id': 'version-1' };
  return { time: '2026-01-31T09:00:00Z', detail: { bucket: { name: 'bucket' }, object } };
}

/** What the tables hold: as an earlier upload of the same file is replaced, which is the usual case. */
export function itemsForRecording(items: string): string {
  const { files, ...others }: Record<string, object> = JSON.parse(items);
  const text = (S: string) => ({ S });
  const common = { upload_id: text(uploadId), file_id: text('orders'), organisation_id: text('acme') };
  const upload = {
    ...common,
    client_id: text('client_one'),
    key: text(key),
    issued_at: text('2026-01-31T08:59:00.000Z'),
    expires_at: text('2026-01-31T09:59:00.000Z'),
    state: text('issued'),
  };
  const content = {
    upload_id: text(replacedId),
    key: text(`uploads/${replacedId}`),
    version_id: text('version-0'),
    size: { N: '1000' },
    etag: text('0123456789abcdef0123456789abcdef'),
    completed_at: text('2026-01-30T09:00:00.000Z'),
  };
  return JSON.stringify({ ...others, files: { ...files, content: { M: content } }, uploads: upload });
}
