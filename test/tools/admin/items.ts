import { randomBytes } from 'node:crypto';
import { type Item, timestamp } from '../../../storage/attributes.ts';
import { createUuidV7 } from '../../../storage/uuid-v7.ts';
import type { Aws } from '../../support/aws.ts';

const newest = Date.parse('2026-03-01T12:00:00Z');

/** Returns the time that is the given number of hours before the newest item. */
export function hoursEarlier(hours: number): Date {
  return new Date(newest - hours * 3_600_000);
}

const texts = (values: Readonly<Record<string, string>>): Item =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { S: value }]));

/** Creates the id of an upload that is the given number of hours older than the newest. */
export function uploadIdOf(hours: number): string {
  const newId = createUuidV7(
    () => hoursEarlier(hours).getTime(),
    // The last digit determines the shard, and differs between uploads.
    (size) => new Uint8Array(size).fill(hours),
  );
  return newId();
}

/** Creates an upload that is the given number of hours older than the newest. */
export function uploadItem(hours: number, changes: Readonly<Record<string, string>> = {}): Item {
  return uploadOf(uploadIdOf(hours), hoursEarlier(hours), {
    state: 'completed',
    etag: '0123456789abcdef',
    checksum_crc64nvme: '1BGd19PD4OU=',
    version_id: 'v1',
    completed_at: timestamp(new Date(hoursEarlier(hours).getTime() + 5000)),
    ...changes,
  });
}

/**
 * Stores an upload whose URL was issued the given number of minutes ago, for one hour.
 *
 * @returns upload id
 */
export async function putIssued(
  aws: Aws,
  minutesAgo: number,
  changes: Readonly<Record<string, string>> = {},
): Promise<string> {
  const at = Date.now() - minutesAgo * 60_000;
  const id = createUuidV7(() => at, randomBytes)();
  await aws.putItem('uploads', uploadOf(id, new Date(at), { state: 'issued', ...changes }));
  return id;
}

/** Creates an upload whose URL was issued at a time, for one hour. */
export function uploadOf(id: string, at: Date, changes: Readonly<Record<string, string>>): Item {
  return {
    ...texts({
      upload_id: id,
      file_id: 'orders',
      organisation_id: 'acme',
      client_id: 'client_nightly',
      key: `uploads/${id}`,
      issued_at: timestamp(at),
      expires_at: timestamp(new Date(at.getTime() + 3_600_000)),
      ...changes,
    }),
    size: { N: '1536' },
  };
}

/** Creates a file that is the given number of hours older than the newest. */
export function fileItem(id: string, hours: number, changes: Readonly<Record<string, string>> = {}): Item {
  const at = timestamp(hoursEarlier(hours));
  return {
    ...texts({
      file_id: id,
      organisation_id: 'acme',
      name: `${id}.csv`,
      created_at: at,
      updated_at: at,
      ...changes,
    }),
    sync_enabled: { BOOL: hours % 2 === 0 },
  };
}

/** Creates an organisation that is the given number of hours older than the newest. */
export function organisationItem(
  id: string,
  hours: number,
  changes: Readonly<Record<string, string>> = {},
): Item {
  return texts({ organisation_id: id, created_at: timestamp(hoursEarlier(hours)), ...changes });
}

/** Creates a client that is the given number of hours older than the newest. */
export function clientItem(id: string, hours: number, changes: Readonly<Record<string, string>> = {}): Item {
  return {
    ...texts({
      client_id: id,
      organisation_id: 'acme',
      name: 'Nightly export',
      status: 'active',
      created_at: timestamp(hoursEarlier(hours)),
      ...changes,
    }),
    scopes: { L: [{ S: 'volume:read' }, { S: 'sync:create' }] },
    secrets: { L: [] },
  };
}
