import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import * as v from 'valibot';
import { eventDetails } from '../../../../contract/upload-event-schemas.ts';
import {
  type Announcement,
  createAnnounce,
  createSendEvent,
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
const completed: Announcement = { kind: 'completed', upload, content, isNewestContent: false };
const at = '2026-01-31T09:05:00.000Z';

const { state: _state, ...subject } = upload;
const common = { schema_version: 1, bucket: 'bucket', ...subject };

describe('the detail of an event', () => {
  test.for([
    [completed, { ...content, is_newest_content: false }],
    [{ kind: 'cancelled', upload, at }, { cancelled_at: at }],
    [{ kind: 'expired', upload, at }, { expired_at: at }],
  ] as const)('of an upload that is $0.kind', ([announcement, members]) => {
    const { kind } = announcement;
    const detail = detailOf(announcement, 'bucket');
    expect(detail).toEqual({ ...common, ...members, event_id: `${upload.upload_id}.${kind}` });
    // It contains no members outside the schema.
    expect(v.parse(eventDetails[kind], detail)).toEqual(detail);
  });

  test('contains the checksum, if S3 returned one', () => {
    const withChecksum = { ...content, checksum_crc64nvme: 'PJv2rXjmdNA=' };
    const detail = detailOf({ ...completed, content: withChecksum }, 'bucket');
    expect(detail).toMatchObject({ checksum: { algorithm: 'CRC64NVME', value: 'PJv2rXjmdNA=' } });
    expect(v.parse(eventDetails.completed, detail)).toEqual(detail);
  });
});

/** Announces to an EventBridge that returns this response. Events of one test share a call. */
function announceTo(response: object) {
  const { client, inputs } = fakeClient<EventBridgeClient>(response);
  const sendEvent = createSendEvent(client, 'bus', async () => undefined);
  return { announce: createAnnounce(sendEvent, 'bucket'), inputs };
}

describe('an announcement', () => {
  test('shares a call of ten, and fails alone', async () => {
    const rejected = { ErrorCode: 'InternalFailure', ErrorMessage: 'hush' };
    const { announce, inputs } = announceTo({ FailedEntryCount: 1, Entries: [{ EventId: 'e' }, rejected] });
    const outcomes = await Promise.allSettled(Array.from({ length: 11 }, () => announce(completed)));
    expect(inputs).toMatchObject([{ Entries: { length: 10 } }, { Entries: { length: 1 } }]);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      {
        reason: {
          name: 'NotAnnouncedError',
          message: `EventBridge did not take the event of upload ${upload.upload_id}: InternalFailure`,
        },
      },
    ]);
  });

  test('fails when EventBridge throttles the call', async () => {
    const { announce } = announceTo(Object.assign(new Error('hush'), { name: 'ThrottlingException' }));
    await expect(announce(completed)).rejects.toThrow(/: ThrottlingException$/);
  });
});
