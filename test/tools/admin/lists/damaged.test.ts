import type { Item } from '../../../../storage/attributes.ts';
import { startAws } from '../../../support/aws.ts';
import { adminOf, failure } from '../../../support/run-admin.ts';
import { clientItem, fileItem, uploadIdOf, uploadItem } from '../items.ts';

/** Number of valid items of each kind: more than three reads return. */
const many = 230;
const hours = Array.from({ length: many }, (_, index) => index);
const without = ({ ...item }: Item, name: string): Item => {
  delete item[name];
  return item;
};

/** Ages of the damaged items, in hours. Uploads add `many` hours. Each item lacks a required attribute. */
const places = [40, 90, 110, 150, 200];
const clients = places.map((hour) => without(clientItem(`damaged-${hour}`, hour), 'scopes'));
const files = places.map((hour) => without(fileItem(`damaged-${hour}`, hour), 'sync_enabled'));
const uploads = places.map((hour) => without(uploadItem(many + hour, { file_id: 'file_0' }), 'version_id'));

/**
 * Number of valid clients, files and uploads in `acme`, the organisation of the damaged items. A test deletes
 * it.
 */
const few = 3;
const of = (hour: number) => ({ organisation_id: hour < few ? 'acme' : 'umbrella' });
const uploadOf = (hour: number) => uploadItem(hour, { ...of(hour), file_id: hour < few ? 'file_0' : 'x' });
const aws = await startAws({
  clients: [...hours.map((hour) => clientItem(`client_${hour}`, hour, of(hour))), ...clients],
  files: [...hours.map((hour) => fileItem(`file_${hour}`, hour, of(hour))), ...files],
  uploads: [...hours.map(uploadOf), ...uploads],
});

const run = adminOf(aws.deployment);

const kinds = [
  { noun: 'client', key: 'client_id', damaged: clients, lacks: 'scopes' },
  { noun: 'file', key: 'file_id', damaged: files, lacks: 'sync_enabled' },
  { noun: 'upload', key: 'upload_id', damaged: uploads, lacks: 'version_id' },
] as const;

describe.each(kinds)('damaged items of $noun list', ({ noun, key, damaged, lacks }) => {
  const ids = damaged.map((item) => item[key]?.S ?? '');
  const commandFor = (id = '') =>
    `aws dynamodb get-item --table-name test-${noun}s --key '{"${key}":{"S":"${id}"}}' --endpoint-url http`;

  test('are named with their error', async () => {
    const { code, stderr } = await run(`${noun} list --json`);
    expect(code).toBe(1);
    const lines = stderr.split('\n');
    const reasons = ids.map((id) => lines[lines.findIndex((line) => line.startsWith(commandFor(id))) - 1]);
    expect(reasons).toEqual(ids.map(() => expect.stringContaining(lacks)));
  });

  test('leave all other rows, once and in order, and JSON whole', async () => {
    const sound = ((await run(`${noun} list --json`)).json().data as Record<string, string>[]).map(
      (row) => row[key],
    );
    expect(sound).toEqual(hours.map((hour) => (noun === 'upload' ? uploadIdOf(hour) : `${noun}_${hour}`)));
  });

  test('are named by show', async () => {
    const shown = await run(`${noun} show ${ids[0]}`);
    expect(shown).toMatchObject(failure(commandFor(ids[0])));
  });
});

test.for(['search Nightly', 'client list --name client_22'])(
  '%s has its rows, and fails',
  async (words, { expect }) => {
    const { code, stdout, stderr } = await run(words);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/client_22|acme/),
      stderr: expect.stringContaining('{"client_id":{"S":"damaged-40"}}'),
    });
  },
);

test('organisation delete deletes sound items, and names damaged ones', async () => {
  const deleted = await run('organisation delete acme --yes');
  expect(deleted.code).toBe(1);
  expect(deleted.stdout).toContain(`${few} clients and ${few} files were deleted, with ${few} uploads.`);
  expect(deleted.stdout).toContain('The deletion is not complete: repair the damaged items');
  expect(deleted.stderr).toContain('Damaged items: 15. At most ten are listed.\n');
  expect(deleted.stderr.match(/get-item/g)).toHaveLength(10);
});
