import { isDeepStrictEqual } from 'node:util';
import type { Upload } from '../../operator/uploads.ts';
import { checksumOf, type Issued, type Reach, type Refusal, sendTo, shortly } from './reach.ts';

/** One upload of this run, and what came of its event. */
export interface EventSeen {
  readonly uploadId: string;
  readonly size: number;
  /** ETag in the answer to the PUT, without quotes. */
  readonly etag: string;
  /** CRC-64/NVME in that answer, in base64. Undefined if it has none. */
  readonly checksum: string | undefined;
  /** Milliseconds from the answer to the PUT until the upload was seen as completed. */
  readonly ageMilliseconds?: number;
  readonly upload: Upload;
}

export interface EventsSeen {
  /** In the order of the PUTs. */
  readonly uploads: readonly EventSeen[];
  /** Numbers of the uploads in the order in which they were seen as completed. */
  readonly order: readonly number[];
  /** What the function answered when it got the event of the first upload again. */
  readonly replayRefused?: Refusal;
  /** Whether the record of that upload was the same after the replay. */
  readonly replayChangedNothing: boolean;
}

const uploadCount = 5;
/** Events usually come within a second. S3 promises no time. */
const patienceMilliseconds = 300_000;
const pollMilliseconds = 200;

/** Sends some uploads one after the other, waits for their events, and replays the first one. */
export async function observeEvents(world: Reach): Promise<EventsSeen> {
  const order: number[] = [];
  const pending = [];
  for (let number = 1; number <= uploadCount; number++) {
    const sent = await send(world, number);
    pending.push(waitForEvent(world, sent, () => order.push(number)));
  }
  const uploads = await Promise.all(pending);
  const [first] = uploads;
  if (first === undefined) {
    throw new Error('Nothing was uploaded');
  }
  const replayRefused =
    first.upload.state === 'completed' ? await world.operator.record(eventOf(first.upload)) : undefined;
  const after = await world.operator.upload(first.uploadId);
  const replayChangedNothing = isDeepStrictEqual(recorded(after), recorded(first.upload));
  return { uploads, order, ...(replayRefused === undefined ? {} : { replayRefused }), replayChangedNothing };
}

/** Without what the events of later uploads change. */
function recorded({ superseded_at: _, ...upload }: Upload) {
  return upload;
}

interface Sent extends Pick<EventSeen, 'size' | 'etag' | 'checksum'> {
  readonly issued: Issued;
  readonly storedAt: number;
}

async function send(world: Reach, number: number): Promise<Sent> {
  const issued = await world.issue();
  const body = `upload ${number} of npm run verify\n`.repeat(number);
  const answer = await sendTo(world, issued.url, { body });
  if (answer.status !== 200) {
    throw new Error(`S3 answered ${shortly(answer)} to the first PUT`);
  }
  const etag = String(answer.headers.etag ?? '').replaceAll('"', '');
  const checksum = checksumOf(answer.headers);
  return { issued, size: body.length, etag, checksum, storedAt: world.now() };
}

async function waitForEvent(
  { operator, now, sleep }: Reach,
  { issued: { uploadId }, storedAt, ...stored }: Sent,
  onCompleted: () => void,
): Promise<EventSeen> {
  for (;;) {
    const upload = await operator.upload(uploadId);
    const ageMilliseconds = now() - storedAt;
    if (upload.state === 'completed') {
      onCompleted();
      return { uploadId, ...stored, ageMilliseconds, upload };
    }
    if (ageMilliseconds > patienceMilliseconds) {
      return { uploadId, ...stored, upload };
    }
    await sleep(pollMilliseconds);
  }
}

/** The event of a completed upload, in S3's form (S3 User Guide, "EventBridge event message structure"). */
function eventOf(upload: Extract<Upload, { state: 'completed' }>): unknown {
  const { key, size, etag, version_id } = upload;
  const object = { key, size, etag, 'version-id': version_id };
  return {
    version: '0',
    'detail-type': 'Object Created',
    source: 'aws.s3',
    time: upload.completed_at,
    detail: { version: '0', object, reason: 'PutObject' },
  };
}
