import { randomBytes } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { routes } from '../../../contract/routes.ts';
import { createApiHandler } from '../../../lambdas/shared/http/api-endpoint.ts';
import { ApiError } from '../../../lambdas/shared/http/api-error.ts';
import type { RecordIssued } from '../../../lambdas/sync/file-and-upload-tables.ts';
import { createPresign } from '../../../lambdas/sync/presign.ts';
import { createSyncEndpoint, type SyncDependencies } from '../../../lambdas/sync/sync-endpoint.ts';
import type { FileAccess } from '../../../storage/file.ts';
import { createUuidV7, uuidV7Pattern } from '../../../storage/uuid-v7.ts';
import { bodyOf, httpEvent } from '../../support/http-event.ts';
import { noon } from '../../support/signing-keys.ts';
import { recordingLog } from '../support/log.ts';

const credentials = { accessKeyId: 'ASIATEST', secretAccessKey: 'hush', sessionToken: 'session/+=' };
const signer = {
  roleArn: 'arn:aws:iam::000000000000:role/signer',
  bucketName: 'uploads-bucket',
  lifetimeSeconds: 3600,
};
const requestedAt = noon.getTime() + 789;

const file = { organisation_id: 'acme', sync_enabled: true };
const files = new Map<string, FileAccess>([
  ['orders.csv', file],
  ['disabled', { ...file, sync_enabled: false }],
  ['foreign', { ...file, organisation_id: 'other' }],
  ['deleted', { ...file, deleted_at: '2026-01-31T09:00:00.000Z' }],
]);

function setUp(
  overrides: Partial<SyncDependencies> = {},
  scopes = ['sync:create'],
  answerWithinMilliseconds = 8_500,
) {
  const { log, lines, values } = recordingLog();
  const recorded: Parameters<RecordIssued>[0][] = [];
  const reads: string[] = [];
  const assumed: string[] = [];
  const endpoint = createSyncEndpoint({
    readFileAccess: async (fileId) => {
      reads.push(fileId);
      return files.get(fileId);
    },
    now: () => requestedAt,
    newUploadId: createUuidV7(() => requestedAt, randomBytes),
    assumeUploadSigner: async (uploadId, key) => {
      assumed.push(`${uploadId} ${key}`);
      return credentials;
    },
    presign: createPresign({ ...signer, region: 'eu-central-1', endpoint: undefined }),
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
      scopes: new Set(scopes),
    }),
    log,
    answerWithinMilliseconds,
  });
  const sync = (fileId: string) =>
    handler(
      httpEvent({
        headers: { authorization: 'Bearer token' },
        pathParameters: { fileId },
        requestContext: { requestId: 'request-1', http: { sourceIp: '192.0.2.7' } },
      }),
    );
  return { handler, sync, recorded, reads, assumed, lines, values };
}

function uploadUrlOf(body: Record<string, unknown>): URL {
  return new URL((body as { data: { upload_url: string } }).data.upload_url);
}

describe('POST /v0/files/{fileId}/sync', () => {
  test('gives a URL for one PUT of one object, signed for host alone and without a checksum', async () => {
    const { sync, recorded } = setUp();
    const answer = await sync('orders.csv');
    expect(answer.statusCode).toBe(200);
    const url = uploadUrlOf(bodyOf(answer));
    expect(url.origin).toBe('https://uploads-bucket.s3.eu-central-1.amazonaws.com');
    expect(url.pathname).toBe(`/${recorded[0]?.key}`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      'If-None-Match': '*',
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD',
      'X-Amz-Credential': 'ASIATEST/20260131/eu-central-1/s3/aws4_request',
      'X-Amz-Date': '20260131T090000Z',
      'X-Amz-Expires': '3600',
      'X-Amz-Security-Token': 'session/+=',
      'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
      'X-Amz-SignedHeaders': 'host',
    });
  });

  test('records who, for which file, and when, before the URL leaves, and logs and counts it without the URL', async () => {
    const { sync, recorded, assumed, lines, values } = setUp();
    const answer = await sync('orders.csv');
    const [upload] = recorded;
    expect(upload).toEqual({
      upload_id: expect.stringMatching(uuidV7Pattern),
      file_id: 'orders.csv',
      organisation_id: 'acme',
      client_id: 'client-1',
      key: `uploads/${upload?.upload_id}`,
      // The second in which the signature starts, and exactly its hour.
      issued_at: noon.toISOString(),
      expires_at: new Date(noon.getTime() + 3_600_000).toISOString(),
      request_id: 'request-1',
      requested_from: '192.0.2.7',
    });
    expect(assumed).toEqual([`${upload?.upload_id} ${upload?.key}`]);
    const {
      key: _key,
      issued_at: _from,
      expires_at: _until,
      requested_from: _ip,
      ...ids
    } = upload ?? expect.fail('no upload');
    expect(lines).toEqual([{ level: 'INFO', message: 'uploadUrlIssued', ...ids }]);
    const signature = uploadUrlOf(bodyOf(answer)).searchParams.get('X-Amz-Signature');
    expect(JSON.stringify(lines)).not.toContain(signature);
    expect(values).toEqual([{ SyncsIssued: 1 }]);
  });

  test('answers the same 404 for an unknown file, a deleted one, and one of another organisation', async () => {
    for (const fileId of ['unknown', 'foreign', 'deleted']) {
      const { sync, values } = setUp();
      const answer = await sync(fileId);
      expect(answer.statusCode, fileId).toBe(404);
      expect(bodyOf(answer)).toEqual(ApiError.fileNotFound(undefined).body);
      expect(values).toEqual([{ SyncsRefused: 1, Reason: 'not_found' }]);
    }
  });

  test('answers 404 for an id that no file can have, or for none, without a read', async () => {
    const { handler, sync, reads } = setUp();
    for (const fileId of ['', '../orders.csv', 'a b', 'ä', '%2e', 'x'.repeat(129), 'a\n']) {
      expect((await sync(fileId)).statusCode, fileId).toBe(404);
    }
    expect((await handler(httpEvent({ headers: { authorization: 'Bearer token' } }))).statusCode).toBe(404);
    expect(reads).toEqual([]);
  });

  test('answers 409 when syncing is not enabled, and issues nothing', async () => {
    const { sync, recorded, assumed, values } = setUp();
    const answer = await sync('disabled');
    expect(answer.statusCode).toBe(409);
    expect(bodyOf(answer)).toEqual(ApiError.syncNotEnabled('orders').body);
    expect([...recorded, ...assumed]).toEqual([]);
    expect(values).toEqual([{ SyncsRefused: 1, Reason: 'sync_not_enabled' }]);
  });

  test('answers 403 to a client without the scope, and reads no file', async () => {
    const { sync, reads, values } = setUp({}, ['volume:read']);
    expect((await sync('orders.csv')).statusCode).toBe(403);
    expect(values).toEqual([{ SyncsRefused: 1, Reason: 'insufficient_scope' }]);
    expect(reads).toEqual([]);
  });

  test('gives no URL when a step fails, and records nothing before the last', async () => {
    for (const step of ['assumeUploadSigner', 'presign', 'recordIssued']) {
      const { sync, recorded, lines } = setUp({ [step]: async () => Promise.reject(new Error('denied')) });
      const answer = await sync('orders.csv');
      expect(answer.statusCode, step).toBe(500);
      expect(recorded).toEqual([]);
      expect(lines).toHaveLength(1);
      expect(JSON.stringify([answer, lines])).not.toContain('X-Amz');
    }
  });

  test('records no upload when the request was given up before', async () => {
    let assumeAtLast: (value: typeof credentials) => void = () => undefined;
    const assuming = new Promise<typeof credentials>((resolve) => {
      assumeAtLast = resolve;
    });
    const { sync, recorded, lines } = setUp({ assumeUploadSigner: () => assuming }, undefined, 50);
    expect((await sync('orders.csv')).statusCode).toBe(500);
    expect(lines[0]?.error_name).toBe('DeadlineError');
    assumeAtLast(credentials);
    await new Promise((resolve) => setImmediate(resolve));
    expect(recorded).toEqual([]);
  });

  test('gives up a record that is under way with the request', async () => {
    const recordIssued = vi.fn<RecordIssued>(() => new Promise(() => undefined));
    expect((await setUp({ recordIssued }, undefined, 100).sync('orders.csv')).statusCode).toBe(500);
    expect(recordIssued.mock.calls[0]?.[1].aborted).toBe(true);
  });
});
