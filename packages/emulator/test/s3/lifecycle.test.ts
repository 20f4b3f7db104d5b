import { openBucketFiles } from '../../s3/bucket-files.ts';
import { createLifecycle } from '../../s3/lifecycle.ts';
import { createObjectStore } from '../../s3/object-store.ts';
import { bucketWith } from '../support/aws-services.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const onDay = (day: number) => new Date(day * 24 * 3_600_000);

test.for([
  [130, 3],
  [131, 2],
  [141, 1],
] as const)(
  '30 days as an older version count from the next version: on day %i, %i are left',
  async ([day, left]) => {
    const expirations = [60, 30].map((NoncurrentDays) => ({ NoncurrentDays }));
    const Rules = expirations.map((NoncurrentVersionExpiration) => ({
      Status: 'Enabled',
      NoncurrentVersionExpiration,
    }));
    const bucket = bucketWith({ LifecycleConfiguration: { Rules } });
    let today = 0;
    const store = createObjectStore(await openBucketFiles(await temporaryFolder()), () => onDay(today));
    for (today of [0, 100, 110]) {
      await store.putDeleteMarker('key');
    }
    await createLifecycle(new Map([[bucket.ref, store]]), [bucket])(onDay(day));
    expect(await store.versions('key')).toHaveLength(left);
  },
);
