import { join } from 'node:path';
import { type EventsSettings, events } from '../events/service.ts';
import type { AwsService, ServiceContext } from '../registry/aws-service.ts';
import { ofType } from '../shared/resource-type.ts';
import { openBucketFiles } from './bucket-files.ts';
import { createS3 } from './handle-request.ts';
import { createLifecycle } from './lifecycle.ts';
import { createObjectEvents } from './object-created.ts';
import { createObjectStore, type ObjectStore } from './object-store.ts';
import { bucketPolicies, bucketPolicyType, bucketType } from './resource-types.ts';

export interface S3Settings extends EventsSettings {
  /** True if S3 ignores `If-None-Match` in the query. A presigned URL for one use then works again. */
  readonly ignoresIfNoneMatch?: boolean | undefined;
}

/** S3. Each version of an object consists of two files: the description and the content. */
export const s3 = {
  resourceTypes: [bucketPolicyType, bucketType],
  policies: bucketPolicies,
  start: async (emulator, use) => {
    const { resources, stack, ignoresIfNoneMatch = false } = emulator;
    const buckets = await openBuckets(emulator);
    const { outbox, bus } = await use(events);
    const prepareFor = createObjectEvents(resources, outbox, bus, stack);
    const serve = createS3({ ...emulator, buckets, ignoresIfNoneMatch, prepareFor });
    return {
      endpoint: { protocol: 's3', name: 's3', serve },
      removeExpired: createLifecycle(buckets, resources),
    };
  },
} satisfies AwsService<S3Settings>;

async function openBuckets(emulator: ServiceContext): Promise<ReadonlyMap<string, ObjectStore>> {
  const { stateDirectory, resources, now } = emulator;
  const buckets = ofType(resources, bucketType).map(async ({ ref }) => {
    const files = await openBucketFiles(join(stateDirectory, 's3', ref));
    return [ref, createObjectStore(files, now)] as const;
  });
  return new Map(await Promise.all(buckets));
}
