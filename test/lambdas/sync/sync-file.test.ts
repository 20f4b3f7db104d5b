import { routes } from '../../../contract/routes.ts';
import { createApiHandler } from '../../../lambdas/shared/http/api-endpoint.ts';
import type { RecordIssued } from '../../../lambdas/sync/file-and-upload-tables.ts';
import { createSyncEndpoint, type SyncDependencies } from '../../../lambdas/sync/sync-endpoint.ts';
import type { FileAccess } from '../../../storage/file.ts';
import { bodyOf, httpEvent } from '../../support/http-event.ts';
import { noon } from '../../support/signing-keys.ts';
import { recordingLog } from '../support/log.ts';

const credentials = { accessKeyId: 'id', secretAccessKey: 'hush', sessionToken: 'session' };

const file = { organisation_id: 'acme', sync_enabled: true };
const files = new Map<string, FileAccess>([
  ['orders.csv', file],
  ['disabled', { ...file, sync_enabled: false }],
  ['suspended', { ...file, suspended_at: '2026-01-31T09:00:00.000Z' }],
  ['foreign', { organisation_id: 'other', sync_enabled: false }],
  ['deleted', { ...file, deleted_at: '2026-01-31T09:00:00.000Z' }],
]);

function setUp(overrides: Partial<SyncDependencies> = {}, respondWithinMilliseconds = 8_500) {
  const { log, lines, values } = recordingLog();
  const recorded: Parameters<RecordIssued>[0][] = [];
  const reads: string[] = [];
  const assumed: string[] = [];
  const endpoint = createSyncEndpoint({
    readFileAccess: async (fileId) => {
      reads.push(fileId);
      return files.get(fileId);
    },
    now: () => noon.getTime() + 789,
    newUploadId: () => 'upload-1',
    assumeUploadSigner: async (uploadId, key, allowFrom) => {
      assumed.push(`${uploadId} ${key} ${allowFrom}`);
      return credentials;
    },
    presign: async (key, { sessionToken }, at) =>
      `https://bucket.invalid/${key}?X-Amz=${sessionToken}&at=${at.toISOString()}`,
    recordIssued: async (upload) => {
      recorded.push(upload);
    },
    lifetimeSeconds: 3600,
    log,
    ...overrides,
  });
  const handler = createApiHandler(routes.sync.scope, endpoint, {
    verifyAccessToken: async () => ({
      clientId: 'client-1',
      organisationId: 'acme',
      scopes: new Set(['sync:create']),
      allowFrom: ['192.0.2.0/24'],
    }),
    log,
    respondWithinMilliseconds,
  });
  const sync = (fileId?: string) =>
    handler(
      httpEvent({
        headers: { authorization: 'Bearer token' },
        ...(fileId !== undefined && { pathParameters: { fileId } }),
        requestContext: { requestId: 'request-1', http: { sourceIp: '192.0.2.7' } },
      }),
    );
  return { sync, recorded, reads, assumed, lines, values };
}

describe('POST /v0/files/{fileId}/sync', () => {
  test('returns a URL for one object, signed in the second of the request', async () => {
    const { sync, assumed } = setUp();
    const response = await sync('orders.csv');
    expect(response.statusCode).toBe(200);
    const upload_url = 'https://bucket.invalid/uploads/upload-1?X-Amz=session&at=2026-01-31T09:00:00.000Z';
    expect(bodyOf(response)).toEqual({ data: { upload_url } });
    expect(assumed).toEqual(['upload-1 uploads/upload-1 192.0.2.0/24']);
  });

  test('records who, for which file, and when', async () => {
    const { sync, recorded } = setUp();
    await sync('orders.csv');
    expect(recorded).toEqual([
      {
        upload_id: 'upload-1',
        file_id: 'orders.csv',
        organisation_id: 'acme',
        client_id: 'client-1',
        key: 'uploads/upload-1',
        // The signature starts in this second, and is valid for exactly one hour.
        issued_at: '2026-01-31T09:00:00.000Z',
        expires_at: '2026-01-31T10:00:00.000Z',
        request_id: 'request-1',
        requested_from: '192.0.2.7',
      },
    ]);
  });

  test('logs the URL that it issues by its ids alone, and counts it', async () => {
    const { sync, lines, values } = setUp();
    await sync('orders.csv');
    const ids = { client_id: 'client-1', organisation_id: 'acme', file_id: 'orders.csv' };
    const line = { request_id: 'request-1', ...ids, upload_id: 'upload-1' };
    expect(lines).toEqual([{ level: 'INFO', message: 'uploadUrlIssued', ...line }]);
    expect(values).toEqual([{ SyncsIssued: 1 }]);
  });

  test.for<[fileId: string | undefined, reads: number, logged?: string]>([
    ['unknown', 1],
    ['foreign', 1, 'foreign'],
    ['deleted', 1, 'deleted'],
    // These ids are not valid for any file: `test/contract/data/identifiers.test.ts` covers the others.
    [undefined, 0],
    ['', 0],
    ['../orders.csv', 0],
  ])('responds with the same 404 for the file %j, after %i reads', async ([fileId, count, logged]) => {
    const { sync, reads, lines, values } = setUp();
    const response = await sync(fileId);
    expect(response.statusCode).toBe(404);
    const body = { error: 'not_found', error_description: 'There is no file with this id' };
    expect(bodyOf(response)).toEqual(body);
    expect(values).toEqual([{ SyncsRejected: 1, Reason: 'not_found' }]);
    expect(reads).toHaveLength(count);
    // The only logged text of the request is the id of an existing file.
    expect(lines.map(({ file_id }) => file_id)).toEqual([logged]);
  });

  test.for([
    ['disabled', 'sync_not_enabled'],
    ['suspended', 'suspended_file'],
  ] as const)('responds with 409 to a %s file, and issues nothing', async ([id, Reason]) => {
    const { sync, recorded, assumed, values } = setUp();
    const response = await sync(id);
    expect(response.statusCode).toBe(409);
    const error_description = 'Syncing is not enabled for this file';
    expect(bodyOf(response)).toEqual({ error: 'sync_not_enabled', error_description });
    expect([...recorded, ...assumed]).toEqual([]);
    expect(values).toEqual([{ SyncsRejected: 1, Reason }]);
  });

  test.for(['assumeUploadSigner', 'presign', 'recordIssued'])('returns no URL if %s fails', async (step) => {
    const { sync, recorded, lines } = setUp({ [step]: async () => Promise.reject(new Error('denied')) });
    const response = await sync('orders.csv');
    expect(response.statusCode).toBe(500);
    expect(recorded).toEqual([]);
    expect(lines).toHaveLength(1);
    expect(JSON.stringify([response, lines])).not.toContain('X-Amz');
  });

  test('records no upload when the request was aborted before', async () => {
    let assumeAtLast: (value: typeof credentials) => void = () => undefined;
    const assuming = new Promise<typeof credentials>((resolve) => {
      assumeAtLast = resolve;
    });
    const { sync, recorded, lines } = setUp({ assumeUploadSigner: () => assuming }, 50);
    expect((await sync('orders.csv')).statusCode).toBe(500);
    expect(lines[0]?.error_name).toBe('DeadlineError');
    assumeAtLast(credentials);
    await new Promise((resolve) => setImmediate(resolve));
    expect(recorded).toEqual([]);
  });

  test('aborts a pending record with the request', async () => {
    const recordIssued = vi.fn<RecordIssued>(() => new Promise(() => undefined));
    expect((await setUp({ recordIssued }, 100).sync('orders.csv')).statusCode).toBe(500);
    expect(recordIssued.mock.calls[0]?.[1].aborted).toBe(true);
  });
});
