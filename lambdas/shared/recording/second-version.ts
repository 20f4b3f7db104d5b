import { contentOfUpload } from '../../../storage/file.ts';
import type { CompletedUpload, Upload } from '../../../storage/upload.ts';
import type { Log } from '../log/log.ts';
import type { Announce } from './announce.ts';
import type { Bucket, CreatedObject } from './bucket.ts';
import { completionOf, idsOf } from './facts.ts';
import type { Tables } from './tables.ts';

interface CorrectDependencies {
  readonly tables: Tables;
  readonly bucket: Bucket;
  readonly announce: Announce;
  readonly log: Log;
}

/** An upload URL was used twice, or after it was cancelled. S3 should never accept that; an alarm tells people. */
export function reportSecondVersion(
  upload: Upload,
  { versionId, size }: Pick<CreatedObject, 'versionId' | 'size'>,
  log: Log,
): void {
  log('ERROR', 'secondVersion', { ...idsOf(upload), version_id: versionId, size }, { SecondVersions: 1 });
}

/**
 * Records a version of a completed upload that is not the one that was recorded. S3 accepts one PUT for each upload URL, so
 * there should be none (docs/decisions/0001). The later of the two never stays content. The events may come in any order,
 * and at the same time, so S3's sequencers tell which is later. Both may have been announced, so that the first one is
 * announced in an event of its own.
 */
export async function recordOtherVersion(
  upload: CompletedUpload,
  object: CreatedObject,
  { tables, bucket, announce, log }: CorrectDependencies,
): Promise<'completed' | 'ignored'> {
  const isFirst = isEarlier(object.sequencer, upload.sequencer);
  const { upload_id, file_id, key, version_id: recorded, size } = upload;
  const second = isFirst ? { versionId: recorded, size } : object;
  reportSecondVersion(upload, second, log);
  const first = isFirst ? await completionOf(object, bucket) : upload;
  const content = contentOfUpload({ ...first, upload_id, key });
  await tables.correctContent(file_id, second.versionId, content);
  const file = await tables.readFileContent(file_id);
  const isNewestContent = file?.content?.upload_id === upload_id;
  await announce({ kind: 'completed', upload, content: first, isNewestContent, isCorrection: true });
  if (!isFirst) {
    return 'ignored';
  }
  await tables.correctUpload(upload_id, recorded, first);
  return 'completed';
}

/**
 * Whether a version was stored before the one that was recorded. Without a sequencer, that one was found by a list of all
 * versions, as the first.
 *
 * Sequencers are hexadecimal and may differ in length: the shorter is padded with zeros on the right, and then they are
 * compared as text (S3 User Guide, "Event message structure").
 */
export function isEarlier(sequencer: string | undefined, recorded: string | undefined): boolean {
  if (sequencer === undefined || recorded === undefined) {
    return false;
  }
  const length = Math.max(sequencer.length, recorded.length);
  const padded = (text: string) => text.toUpperCase().padEnd(length, '0');
  return padded(sequencer) < padded(recorded);
}
