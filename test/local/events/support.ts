import type { BusEvent } from '../../../emulator/events/outbox.ts';

/** An event of an upload, of this moment. */
export function eventOf(id: string, time = new Date()): BusEvent {
  return {
    version: '0',
    id,
    'detail-type': 'Upload Completed',
    source: 'file-sync-api',
    account: '000000000000',
    time: time.toISOString(),
    region: 'us-east-1',
    resources: [],
    detail: { event_id: `${id}.completed` },
  };
}
