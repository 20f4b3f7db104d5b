import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { uploadEventDetails } from '../../../../contract/upload-event-schemas.ts';
import {
  type Announcement,
  createAnnounce,
  detailOf,
} from '../../../../lambdas/shared/recording/announce.ts';
import type { Upload } from '../../../../storage/upload.ts';
import { fakeClient } from '../../support/fake-client.ts';

const upload: Upload = {
  upload_id: '019c1b2e-7d3a-7001-8f43-5e0d1c2b3a49',
  file_id: 'orders.csv',
  organisation_id: 'acme',
  client_id: 'client',
  key: 'uploads/019c1b2e-7d3a-7001-8f43-5e0d1c2b3a49',
  issued_at: '2026-01-31T08:00:00.000Z',
  expires_at: '2026-01-31T09:00:00.000Z',
  request_id: 'JKJaXmPLvHcESHA=',
  state: 'issued',
};
const content = { version_id: 'v1', size: 4, etag: 'e1', completed_at: '2026-01-31T08:01:00.000Z' };
const completed: Announcement = { kind: 'completed', upload, content, isNewestContent: true };
const at = '2026-01-31T09:05:00.000Z';

const common = {
  schema_version: 1,
  upload_id: upload.upload_id,
  file_id: 'orders.csv',
  organisation_id: 'acme',
  client_id: 'client',
  request_id: 'JKJaXmPLvHcESHA=',
  bucket: 'bucket',
  key: upload.key,
  issued_at: upload.issued_at,
  expires_at: upload.expires_at,
};

describe('the detail of an event', () => {
  test.each([
    [
      'completed',
      completed,
      { ...common, ...content, event_id: `${upload.upload_id}.completed`, is_newest_content: true },
    ],
    [
      'cancelled',
      { kind: 'cancelled', upload, at },
      { ...common, event_id: `${upload.upload_id}.cancelled`, cancelled_at: at },
    ],
    [
      'expired',
      { kind: 'expired', upload, at },
      { ...common, event_id: `${upload.upload_id}.expired`, expired_at: at },
    ],
  ] as const)('of an upload that is %s', (kind, announcement, expected) => {
    const detail = detailOf(announcement, 'bucket');
    expect(detail).toEqual(expected);
    // Nothing is in it that the schema does not have.
    expect(v.parse(uploadEventDetails[kind], detail)).toEqual(detail);
  });

  test('says that the file has later content, and has the checksum, if S3 gave one', () => {
    const withChecksum = { ...content, checksum_crc64nvme: 'PJv2rXjmdNA=' };
    const announcement = { ...completed, content: withChecksum, isNewestContent: false };
    const detail = detailOf(announcement, 'bucket');
    const checksum = { algorithm: 'CRC64NVME', value: 'PJv2rXjmdNA=' };
    expect(detail).toMatchObject({ is_newest_content: false, checksum });
    expect(v.parse(uploadEventDetails.completed, detail)).toEqual(detail);
  });

  test('has no request id, if an older version of the service issued the upload URL', () => {
    const { request_id: _, ...older } = upload;
    const detail = detailOf({ ...completed, upload: older }, 'bucket');
    const { request_id: _id, ...others } = detailOf(completed, 'bucket');
    expect(detail).toStrictEqual(others);
    expect(v.parse(uploadEventDetails.completed, detail)).toEqual(detail);
  });
});

/** Announces to an EventBridge that gives this answer. Events of one test share a call. */
function announceTo(answer: object) {
  const { client, inputs } = fakeClient<EventBridgeClient>(answer);
  const names = { eventBusName: 'bus', bucketName: 'bucket' };
  return { announce: createAnnounce(client, names, async () => undefined), inputs };
}

const taken = { EventId: 'e' };

describe('an announcement', () => {
  test('is one entry on the bus of the stack', async () => {
    const { announce, inputs } = announceTo({ FailedEntryCount: 0, Entries: [taken] });
    await announce(completed);
    expect(inputs).toEqual([
      {
        Entries: [
          {
            EventBusName: 'bus',
            Source: 'file-sync-api',
            DetailType: 'Upload Completed',
            Detail: JSON.stringify(detailOf(completed, 'bucket')),
          },
        ],
      },
    ]);
  });

  test('shares a call of ten, and fails alone, without what EventBridge says', async () => {
    const refused = { ErrorCode: 'InternalFailure', ErrorMessage: 'hush' };
    const { announce, inputs } = announceTo({ FailedEntryCount: 1, Entries: [taken, refused] });
    const outcomes = await Promise.allSettled(Array.from({ length: 11 }, () => announce(completed)));
    expect(inputs).toMatchObject([{ Entries: { length: 10 } }, { Entries: { length: 1 } }]);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      {
        reason: {
          name: 'NotAnnounced',
          message: `EventBridge did not take the event of upload ${upload.upload_id}: InternalFailure`,
        },
      },
    ]);
  });

  test('is not made when EventBridge throttles the call', async () => {
    const { announce } = announceTo(Object.assign(new Error('hush'), { name: 'ThrottlingException' }));
    await expect(announce(completed)).rejects.toThrow(/: ThrottlingException$/);
  });
});
