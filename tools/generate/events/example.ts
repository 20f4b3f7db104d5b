import type { EventDetail } from '../../../contract/upload-event-schemas.ts';
import { eventSource, eventTypes } from '../../../contract/upload-events.ts';

const uploadId = '019c1b2e-7d3a-7001-8f43-5e0d1c2b3a49';

const detail: EventDetail<'completed'> = {
  schema_version: 1,
  event_id: `${uploadId}.completed`,
  upload_id: uploadId,
  file_id: 'file_4Vd1xV7yQkq3',
  organisation_id: 'acme',
  client_id: 'client_8rT2nWz5Lm0p',
  request_id: 'JKJaXmPLvHcESHA=',
  bucket: 'file-sync-prod-uploadsbucket6e76b673-1x2y3z4a5b6c',
  key: `uploads/${uploadId}`,
  issued_at: '2026-01-31T09:00:00.000Z',
  expires_at: '2026-01-31T10:00:00.000Z',
  version_id: '3sL4kqtJlcpXroDTDmJ.rmSpXd3dIbrH',
  size: 11,
  etag: '5eb63bbbe01eeed093cb22bb8f5acdc3',
  checksum: { algorithm: 'CRC64NVME', value: 'jSnVw/bqjr4=' },
  completed_at: '2026-01-31T09:00:03.000Z',
  is_newest_content: true,
};

/** A whole event, as delivered to a target of EventBridge. */
export const exampleEvent = {
  version: '0',
  id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
  'detail-type': eventTypes.completed,
  source: eventSource,
  account: '111122223333',
  time: '2026-01-31T09:00:05Z',
  region: 'eu-central-1',
  resources: [],
  detail,
};
