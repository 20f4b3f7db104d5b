import { checksumOf, put, shortly } from './http.ts';
import type { Reach } from './world.ts';

const uploadCount = 5;
/** Events usually come within a second. S3 promises no time. */
const patienceMilliseconds = 300_000;
const pollMilliseconds = 200;

/** Sends some uploads one after the other, and waits until each is recorded. */
export async function observeUploads(world: Reach) {
  const pending = [];
  for (let number = 1; number <= uploadCount; number++) {
    const { url, uploadId } = await world.issue();
    const body = `upload ${number} of npm run verify\n`.repeat(number);
    const answer = await put(world, url, body);
    if (answer.status !== 200) {
      throw new Error(`S3 answered ${shortly(answer)} to the first PUT`);
    }
    const etag = String(answer.headers.etag ?? '').replaceAll('"', '');
    const sent = { size: body.length, etag, checksum: checksumOf(answer) };
    pending.push(waitForRecord(world, uploadId).then((seen) => ({ uploadId, sent, ...seen })));
  }
  return Promise.all(pending);
}

/** The record of an upload when it is completed, or when patience has ended, and the milliseconds until then. */
async function waitForRecord({ operator, now, sleep }: Reach, uploadId: string) {
  const startedAt = now();
  for (;;) {
    const upload = await operator.upload(uploadId);
    const milliseconds = now() - startedAt;
    if (upload.state === 'completed' || milliseconds > patienceMilliseconds) {
      return { upload, milliseconds };
    }
    await sleep(pollMilliseconds);
  }
}
