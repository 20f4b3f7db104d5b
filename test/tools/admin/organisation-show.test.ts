import { startAws } from '../../support/aws.ts';
import { adminOf } from '../../support/run-admin.ts';
import { clientItem, fileItem, uploadItem } from './items.ts';

const now = Date.parse('2026-03-02T12:00:00Z');
const lately = { superseded_at: '2026-03-02T00:00:00.000Z' };
const aws = await startAws({
  clients: [clientItem('client_a', 1), clientItem('client_b', 2, { deleted_at: '2026-03-01T12:00:00.000Z' })],
  files: [fileItem('orders', 1), fileItem('prices', 2)],
  uploads: [
    uploadItem(1),
    uploadItem(2, lately),
    uploadItem(3, lately),
    // S3 has removed this content.
    uploadItem(4, { superseded_at: '2026-01-01T00:00:00.000Z' }),
  ],
});

test.for([
  { step: 0, isPartial: false, shown: /^Replaced content +3.0 KiB$/m },
  { step: 1500, isPartial: true, shown: /^Replaced content +at least 3.0 KiB$/m },
])('with calls of $step ms, totals are a minimum: $isPartial', async ({ step, isPartial, shown }) => {
  let at = now;
  const clock = () => {
    at += step;
    return at;
  };
  const show = (...words: readonly string[]) =>
    adminOf({ ...aws.deployment, now: clock })('organisation show acme', ...words);
  const total = (count: number) => ({ count, isPartial });
  expect((await show('--json')).json()).toMatchObject({
    clients: { count: 1, isPartial: false },
    files: { count: 2, isPartial: false },
    uploads: total(4),
    current_bytes: total(1536),
    kept_bytes: total(3072),
    last_upload_at: '2026-03-01T11:00:00.000Z',
  });
  expect((await show()).stdout).toMatch(shown);
});
