import { type Protectable, protect } from '../../../lambdas/deletion-protection/protect.ts';
import type { Log } from '../../../lambdas/shared/log/log.ts';

const stack = ['stack'];
// Only while no operation is in progress: a failed one may need to delete a table that it created.
const all = ['stack', 'files'];

/** Resources to protect, by status of the stack (CloudFormation API reference, Stack, StackStatus). */
const statuses: Readonly<Record<string, readonly string[]>> = {
  CREATE_IN_PROGRESS: [],
  CREATE_COMPLETE: all,
  ROLLBACK_COMPLETE: [],
  DELETE_COMPLETE: [],
  UPDATE_IN_PROGRESS: stack,
  UPDATE_COMPLETE_CLEANUP_IN_PROGRESS: stack,
  UPDATE_COMPLETE: all,
  UPDATE_ROLLBACK_IN_PROGRESS: stack,
  UPDATE_ROLLBACK_COMPLETE: all,
  IMPORT_IN_PROGRESS: stack,
  IMPORT_COMPLETE: all,
  IMPORT_ROLLBACK_COMPLETE: all,
};

test.for(Object.entries(statuses))(
  'in the status %s, %j is protected and logged',
  async ([status, names]) => {
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

    // The clients table was already protected.
    expect([...state]).toEqual(['clients', ...names]);
    const line = { level: 'INFO', message: 'deletionProtected' };
    expect(logged).toEqual(names.map((name) => ({ ...line, name })));
  },
);

test('a stack that stays unprotected is not logged', async () => {
  const log = vi.fn<Log>();
  const failing: Protectable = {
    name: 'stack',
    isProtected: async () => false,
    protect: () => Promise.reject(new Error('busy')),
  };
  const protecting = protect({ readStatus: async () => 'CREATE_COMPLETE', stack: failing, tables: [], log });
  await expect(protecting).rejects.toThrow('busy');
  expect(log).not.toHaveBeenCalled();
});
