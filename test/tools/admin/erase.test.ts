import { beforeEach, expect, test } from 'vitest';
import { headObject } from '../../../tools/operator/deployment/head-object.ts';
import { readItem } from '../../../tools/operator/deployment/items.ts';
import { createFile } from '../../../tools/operator/files/file.ts';
import { startAws } from '../../support/aws.ts';
import { adminOf, failure } from '../../support/run-admin.ts';
import { putIssued } from './items.ts';

const aws = await startAws();
const { deployment } = aws;
const run = adminOf(deployment);

let rounds = 0;
let organisation: string;
let fileId: string;
beforeEach(async () => {
  rounds += 1;
  organisation = `org-${rounds}`;
  fileId = `file-${rounds}`;
  await createFile(deployment, { organisationId: organisation, name: 'n', syncEnabled: true, fileId });
});

/** Stores a recorded upload whose URL was issued the given number of minutes ago. */
async function complete(minutesAgo: number) {
  const owner = { file_id: fileId, organisation_id: organisation };
  const id = await putIssued(aws, minutesAgo, owner);
  const version_id = await aws.putContent(id, `content ${minutesAgo}`);
  const facts = {
    ...owner,
    state: 'completed',
    etag: 'e',
    version_id,
    completed_at: new Date().toISOString(),
  };
  const texts = Object.entries(facts).map(([name, value]) => [name, { S: value }]);
  const item = await readItem(deployment, 'upload', id);
  await aws.putItem('uploads', { ...item, ...Object.fromEntries(texts) });
  return {
    read: () => headObject(deployment, `uploads/${id}`, version_id),
    newest: async () => (await headObject(deployment, `uploads/${id}`))?.ContentLength,
  };
}

test.for(['file', 'organisation'] as const)(
  '%s delete --erase removes content, and its key only when no PUT can come',
  async (noun) => {
    const [old, lately] = [await complete(9000), await complete(5)];
    const id = noun === 'file' ? fileId : organisation;
    const erased = await run(noun, 'delete', id, '--erase', '--yes');
    expect(erased).toMatchObject({ code: 0, stderr: expect.stringContaining('cannot be undone') });
    expect(`${erased.stdout}${erased.stderr}`).toContain(
      'All content was erased. Records without content are kept until 2',
    );
    expect([await old.read(), await lately.read()]).toEqual([undefined, undefined]);
    expect([await old.newest(), await lately.newest()]).toEqual([undefined, 0]);
    expect(await run(noun, 'undelete', id)).toMatchObject(failure('was erased at 2'));
  },
);
