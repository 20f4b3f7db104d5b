import { describe, expect, test } from 'vitest';
import {
  isIdle,
  type Protectable,
  protect,
  wasComplete,
} from '../../../lambdas/deletion-protection/protect.ts';

const ended = (operation: string, ...outcomes: readonly string[]) => [
  `${operation}_IN_PROGRESS`,
  ...outcomes.map((outcome) => `${operation}_${outcome}`),
];

/** Every status of a stack (CloudFormation API reference, Stack, StackStatus). */
const statuses = [
  'REVIEW_IN_PROGRESS',
  ...['CREATE', 'ROLLBACK', 'DELETE', 'UPDATE'].flatMap((operation) =>
    ended(operation, 'FAILED', 'COMPLETE'),
  ),
  'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
  ...ended('UPDATE_ROLLBACK', 'FAILED', 'COMPLETE_CLEANUP_IN_PROGRESS', 'COMPLETE'),
  ...ended('IMPORT', 'COMPLETE'),
  ...ended('IMPORT_ROLLBACK', 'FAILED', 'COMPLETE'),
];

describe('what may be protected', () => {
  test('is the stack once it was complete, also while an update runs or after it failed', () => {
    const later = statuses.filter((status) => /^(CREATE_COMPLETE$|UPDATE|IMPORT)/.test(status));
    expect(statuses.filter(wasComplete)).toEqual(later);
  });

  test('are the tables only when no operation is under way or failed: a rollback may have to delete a new one', () => {
    expect(statuses.filter(isIdle)).toEqual([
      'CREATE_COMPLETE',
      'UPDATE_COMPLETE',
      'UPDATE_ROLLBACK_COMPLETE',
      'IMPORT_COMPLETE',
      'IMPORT_ROLLBACK_COMPLETE',
    ]);
  });

  test('is protected unless it is already, and the log says what was', async () => {
    for (const [status, expected] of [
      ['ROLLBACK_COMPLETE', []],
      ['UPDATE_IN_PROGRESS', ['stack']],
      ['UPDATE_COMPLETE', ['stack', 'files']],
    ] as const) {
      const state = new Set(['clients']);
      const protectable = (name: string): Protectable => ({
        name,
        isProtected: async () => state.has(name),
        protect: async () => void state.add(name),
      });
      const logged: unknown[] = [];
      await protect({
        readStatus: async () => status,
        stack: protectable('stack'),
        tables: ['clients', 'files'].map(protectable),
        log: (level, message, fields) => logged.push({ level, message, ...fields }),
      });
      expect([...state]).toEqual(['clients', ...expected]);
      const line = { level: 'INFO', message: 'deletionProtected' };
      expect(logged).toEqual(expected.map((name) => ({ ...line, name })));
    }
  });
});
