import { type Item, timestamp } from '../../storage/attributes.ts';

/** 2026-01-01T00:00:00Z */
const start = 1_767_225_600_000;

/** Clients of 50 organisations. The order of their ids differs from the order of their times. */
export function* manyClients(count: number): Generator<Item> {
  for (let index = 0; index < count; index += 1) {
    const number = String((index * 7919) % count).padStart(26, '0');
    const created_at = { S: timestamp(new Date(start + index * 60_000)) };
    yield {
      client_id: { S: `client_${number}` },
      organisation_id: { S: `organisation-${index % 50}` },
      name: { S: `Nightly export ${index}` },
      scopes: { L: [{ S: 'volume:read' }, { S: 'sync:create' }] },
      status: { S: index % 9 === 0 ? 'revoked' : 'active' },
      secrets: {
        L: [{ M: { secret_id: { S: `secret_${number}` }, sha256: { S: '0'.repeat(64) }, created_at } }],
      },
      created_at,
    };
  }
}
