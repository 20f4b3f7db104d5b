import { type Check, EarlyOutcome, judge } from './outcome.ts';
import type { Service } from './service.ts';

const uploadCount = 5;
/**
 * Timeout for an event. Most events arrive within a second. In a new stack, S3 takes about five minutes until
 * it sends events (docs/aws-facts.md, `s3-eventbridge-enabled`).
 */
const timeoutMilliseconds = 600_000;
const pollMilliseconds = 200;

export const cancelling: Check = {
  id: 'cancel',
  label: 'cancel an upload, and try to use its URL',
  check: async ({ requestUrl, put, operator }) => {
    const { url, uploadId, key } = await requestUrl();
    await operator.cancel(uploadId);
    const { status } = await put(url, 'content');
    const { state } = await operator.upload(uploadId);
    const content = await operator.content(key);
    return judge(
      status === '412 PreconditionFailed' && state === 'cancelled' && content === '',
      `A PUT after the cancel got ${status}, and the upload is ${state}.`,
    );
  },
};

export const events: Check = {
  id: 'events',
  label:
    'upload five times, and wait for the events, which S3 may not send in the first minutes of a stack: ten minutes at most',
  check: async (service) => {
    const seen = await Promise.all(Array.from({ length: uploadCount }, (_, index) => upload(service, index)));
    const asSent = seen.filter(
      ({ record, sent: { size, etag, checksum } }) =>
        record.size === size &&
        record.etag === etag &&
        record.checksum_crc64nvme === checksum &&
        !['', 'null'].includes(record.version_id),
    );
    const times = seen.map(({ milliseconds }) => `${(milliseconds / 1000).toFixed(1)} s`).join(', ');
    return judge(
      asSent.length === uploadCount,
      `All ${uploadCount} uploads were completed, after ${times}. ${asSent.length} have the size, ETag and checksum of their PUT, and a version.`,
    );
  },
};

/**
 * Uploads content, and waits until the upload is recorded.
 *
 * @throws {EarlyOutcome} if the upload is not recorded within ten minutes
 */
export async function upload({ requestUrl, put, operator, now, sleep }: Service, index: number) {
  const { url, uploadId } = await requestUrl();
  const body = `upload ${index} of npm run verify\n`.repeat(index + 1);
  const { status, ...response } = await put(url, body);
  if (status !== '200') {
    throw new Error(`S3 responded with ${status} to the first PUT`);
  }
  const sent = { size: body.length, ...response };
  const startedAt = now();
  for (;;) {
    const record = await operator.upload(uploadId);
    const milliseconds = now() - startedAt;
    if (record.state === 'completed') {
      return { record, sent, milliseconds };
    }
    if (milliseconds > timeoutMilliseconds) {
      throw new EarlyOutcome(`Upload ${uploadId} was not recorded within ten minutes.`, 'failed');
    }
    await sleep(pollMilliseconds);
  }
}
