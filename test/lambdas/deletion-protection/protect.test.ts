import { describe, expect, it } from 'vitest';
import {
  isIdle,
  type Protectable,
  protect,
  wasComplete,
} from '../../../lambdas/deletion-protection/protect.ts';

/** Every status of a stack (CloudFormation API reference, Stack, StackStatus). */
const statuses = [
  'CREATE_IN_PROGRESS',
  'CREATE_FAILED',
  'CREATE_COMPLETE',
  'ROLLBACK_IN_PROGRESS',
  'ROLLBACK_FAILED',
  'ROLLBACK_COMPLETE',
  'DELETE_IN_PROGRESS',
  'DELETE_FAILED',
  'DELETE_COMPLETE',
  'UPDATE_IN_PROGRESS',
  'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
  'UPDATE_COMPLETE',
  'UPDATE_FAILED',
  'UPDATE_ROLLBACK_IN_PROGRESS',
  'UPDATE_ROLLBACK_FAILED',
  'UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS',
  'UPDATE_ROLLBACK_COMPLETE',
  'REVIEW_IN_PROGRESS',
  'IMPORT_IN_PROGRESS',
  'IMPORT_COMPLETE',
  'IMPORT_ROLLBACK_IN_PROGRESS',
  'IMPORT_ROLLBACK_FAILED',
  'IMPORT_ROLLBACK_COMPLETE',
];

function protectable(name: string, state: Set<string>): Protectable {
  return {
    name,
    isProtected: async () => state.has(name),
    protect: async () => {
      state.add(name);
    },
  };
}

async function protectedAt(status: string, already: readonly string[] = []) {
  const state = new Set(already);
  const logged: unknown[] = [];
  await protect({
    readStatus: async () => status,
    stack: protectable('stack', state),
    tables: ['clients', 'files'].map((name) => protectable(name, state)),
    log: (level, message, fields) => logged.push({ level, message, ...fields }),
  });
  return { state: [...state].sort(), logged };
}

describe('what may be protected', () => {
  it('is nothing before the first creation is complete, and while the stack is deleted', () => {
    const never = statuses.filter((status) => /^(CREATE|ROLLBACK|DELETE|REVIEW)/.test(status));
    expect(never.filter(wasComplete)).toEqual(['CREATE_COMPLETE']);
    expect(never.filter(isIdle)).toEqual(['CREATE_COMPLETE']);
  });

  it('is the stack from then on, also while an update runs or after it failed', () => {
    const later = statuses.filter((status) => /^(UPDATE|IMPORT)/.test(status));
    expect(later.filter((status) => !wasComplete(status))).toEqual([]);
  });

  it('are the tables only when no operation is under way or failed: a rollback may have to delete a new one', () => {
    expect(statuses.filter(isIdle)).toEqual([
      'CREATE_COMPLETE',
      'UPDATE_COMPLETE',
      'UPDATE_ROLLBACK_COMPLETE',
      'IMPORT_COMPLETE',
      'IMPORT_ROLLBACK_COMPLETE',
    ]);
  });
});

describe('protect', () => {
  it('protects the complete stack and every table, and says so', async () => {
    const { state, logged } = await protectedAt('CREATE_COMPLETE');
    expect(state).toEqual(['clients', 'files', 'stack']);
    expect(logged).toEqual(
      ['stack', 'clients', 'files'].map((name) => ({ level: 'INFO', message: 'deletionProtected', name })),
    );
  });

  it('changes nothing of a stack that is not complete', async () => {
    for (const status of [
      'CREATE_IN_PROGRESS',
      'ROLLBACK_IN_PROGRESS',
      'ROLLBACK_COMPLETE',
      'DELETE_IN_PROGRESS',
    ]) {
      expect(await protectedAt(status), status).toEqual({ state: [], logged: [] });
    }
  });

  it('repairs what a deployment switched off, and touches nothing that is protected', async () => {
    const { state, logged } = await protectedAt('UPDATE_COMPLETE', ['clients', 'stack']);
    expect(state).toEqual(['clients', 'files', 'stack']);
    expect(logged).toEqual([{ level: 'INFO', message: 'deletionProtected', name: 'files' }]);
  });
});
