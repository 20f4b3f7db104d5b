import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTables } from '../../dynamodb/template-tables.ts';
import { table } from '../support/aws-services.ts';
import { openTables } from '../support/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('writes to a full disk fail with the reason until the next start', async () => {
  const directory = await temporaryFolder();
  const script = fileURLToPath(new URL('../support/small-disk-process.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', 'ulimit -f 4096 && exec "$0" --import tsx "$1"', process.execPath, script],
    { env: { ...process.env, STATE_DIRECTORY: directory } },
  );
  const { written, failure, read, again } = JSON.parse(stdout) as Record<string, unknown>;
  expect(failure).toBe('Error: PutItem failed: the file would exceed the size limit (EFBIG)');
  expect(read).toEqual([1, 1]);
  expect(again).toBe('Error: The store failed: the file would exceed the size limit (EFBIG)');
  // All confirmed writes are still stored at the next start.
  const engine = await openTables([table()], directory);
  const { Count } = await engine.run('Scan', { TableName: 'test-Table', Select: 'COUNT', Limit: 1000 });
  expect(Count).toBeGreaterThan(5);
  const last = { id: { S: String(Number(written) - 1) } };
  expect((await engine.run('GetItem', { TableName: 'test-Table', Key: last })).Item).toBeDefined();
});

it('a table that does not become active stops the start', async () => {
  vi.useFakeTimers();
  const engine = await openTables([]);
  const stuck = {
    ...engine,
    run: async () => ({ Table: { ...Object(table().properties), TableStatus: 'CREATING' } }),
  };
  const rejected = expect(createTables(stuck, [table()])).rejects.toThrow('The disk may be full');
  await vi.advanceTimersByTimeAsync(11_000);
  await rejected;
  vi.useRealTimers();
});
