import { forEachUpload } from '../../../../tools/operator/uploads/each-upload.ts';
import type { Upload } from '../../../../tools/operator/uploads/upload.ts';

const uploads = Array.from({ length: 19 }, (_, index) => ({ upload_id: `upload_${index}` }) as Upload);

async function* pages() {
  yield uploads.slice(0, 11);
  yield uploads.slice(11);
}

const told: string[] = [];
const context = { progress: (sentence: string) => void told.push(sentence) };

test('all uploads are counted, page by page', async () => {
  const cancels = async ({ upload_id }: Upload) => upload_id.endsWith('1');
  const done = await forEachUpload(context, 'Deleting', pages(), cancels);
  expect([done, told.at(-1)]).toEqual([{ uploads: 19, cancelled: 2 }, 'Deleting: 19 uploads.']);
});

test('sixteen uploads of both pages are worked on at the same time', async () => {
  let [active, most] = [0, 0];
  const act = async () => {
    active += 1;
    most = Math.max(most, active);
    await new Promise(setImmediate);
    active -= 1;
    return false;
  };
  await forEachUpload(context, 'Deleting', pages(), act);
  expect(most).toBe(16);
});

test('a failure stops no other, and the first one is printed last', async () => {
  const tried: string[] = [];
  const act = async ({ upload_id }: Upload) => {
    tried.push(upload_id);
    return upload_id.endsWith('8') ? Promise.reject(new Error('it broke.')) : true;
  };
  await expect(forEachUpload(context, 'Deleting', pages(), act)).rejects.toThrow(
    '2 uploads of 19 could not be processed, and their URLs may still work. upload_8 failed: it broke. Fix the cause',
  );
  expect(tried).toHaveLength(19);
});
