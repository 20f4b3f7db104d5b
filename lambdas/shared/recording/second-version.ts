import type { Upload } from '../../../storage/upload.ts';
import type { Log } from '../log/log.ts';
import type { CreatedObject } from './bucket.ts';
import { idsOf } from './facts.ts';

/**
 * Reports a version of an object that is not recorded: the upload URL was used twice, or after it was
 * cancelled. S3 should never accept such a PUT (docs/decisions/0001). The version that was recorded first
 * stays, and an alarm notifies the operators.
 */
export function ignoreSecondVersion(upload: Upload, { versionId, size }: CreatedObject, log: Log): 'ignored' {
  log('ERROR', 'secondVersion', { ...idsOf(upload), version_id: versionId, size }, { SecondVersions: 1 });
  return 'ignored';
}
