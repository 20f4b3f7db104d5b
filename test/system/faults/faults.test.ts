import { faultKinds, faultyServices } from 'cloud-assembly-emulator/faults';
import { expect, test } from 'vitest';
import { isLong, report, sizesOf, soakTimeout } from '../soak.ts';
import { type FaultCase, runFaultsSoak } from './faults-soak.ts';

const sizes = sizesOf({ clients: 2, rounds: 1 }, { clients: 8, rounds: 3 });
const run = (cases: readonly FaultCase[]) => runFaultsSoak({ ...sizes, cases });

/**
 * AWS operations that functions call for clients and uploads; for DynamoDB, with each table that is written.
 */
const operations = [
  { service: 'dynamodb', operation: 'GetItem', table: 'ClientsTableName' },
  { service: 'dynamodb', operation: 'GetItem', table: 'FilesTableName' },
  { service: 'dynamodb', operation: 'GetItem', table: 'UploadsTableName' },
  { service: 'dynamodb', operation: 'PutItem' },
  { service: 'dynamodb', operation: 'UpdateItem', table: 'FilesTableName' },
  { service: 'dynamodb', operation: 'UpdateItem', table: 'UploadsTableName' },
  { service: 'secretsmanager', operation: 'GetSecretValue' },
  { service: 's3', operation: 'HeadObject' },
  { service: 's3', operation: 'GetObjectTagging' },
  { service: 's3', operation: 'PutObject' },
] as const;

/** SQS is excluded: AWS calls SQS only for dead letters, which do not occur without another fault. */
const services = faultyServices.filter((service) => service !== 'sqs');

if (isLong) {
  test(
    'the same for every fault of every operation, under load',
    async () => {
      const calls = [...services.map((service) => ({ service })), ...operations];
      const { met, maxAttempts } = await run(
        calls
          .flatMap((call): FaultCase[] => faultKinds.map((fault) => ({ ...call, fault })))
          .concat({ service: 's3', operation: 'PutObject', fault: 'conflict' }),
      );
      report(JSON.stringify({ faults: met.length, maxAttempts }));
      expect(maxAttempts).toBe(3);
    },
    soakTimeout,
  );
} else {
  // One step fails while the steps around it work. A swallowed error would have visible effects in the later
  // steps.
  test(
    'while AWS fails, clients get 500 where needed, and later all works',
    async () => {
      // Two stacks at the same time, since a stack waits for AWS most of the time.
      const results = await Promise.all([
        run([
          { service: 'dynamodb', fault: 'slow' },
          { service: 'dynamodb', operation: 'UpdateItem', table: 'UploadsTableName', fault: 'throttling' },
        ]),
        run([
          { service: 'dynamodb', operation: 'GetItem', fault: 'failing' },
          { service: 'dynamodb', operation: 'PutItem', fault: 'failing' },
          { service: 'secretsmanager', fault: 'garbage' },
          { service: 'secretsmanager', fault: 'stalled' },
          { service: 'sts', fault: 'throttling' },
          { service: 's3', operation: 'HeadObject', fault: 'failing' },
          { service: 's3', operation: 'PutObject', fault: 'conflict' },
          { service: 'events', fault: 'throttling' },
        ]),
      ]);

      // If a service fails, only the endpoints that use it fail. An event that could not be recorded is kept,
      // and a replay records it: each of the two clients stores two uploads, and a third one if an upload URL
      // can be issued.
      const keyUsers = ['key set', 'sync', 'token', 'volumes'];
      expect(results.flatMap(({ met }) => met)).toMatchObject([
        { name: 'dynamodb slow', failed: ['sync', 'token'], replayed: 4 },
        { name: 'dynamodb UpdateItem UploadsTableName throttling', failed: [], replayed: 6 },
        { name: 'dynamodb GetItem failing', failed: ['sync', 'token'], replayed: 4 },
        { name: 'dynamodb PutItem failing', failed: ['sync'], replayed: 0 },
        { name: 'secretsmanager garbage', failed: keyUsers, replayed: 0 },
        { name: 'secretsmanager stalled', failed: keyUsers, replayed: 0 },
        { name: 'sts throttling', failed: ['sync'], replayed: 0 },
        // Every upload queries S3 for the first version.
        { name: 's3 HeadObject failing', failed: [], replayed: 6 },
        { name: 's3 PutObject conflict', failed: [], replayed: 0 },
        { name: 'events throttling', failed: [], replayed: 0 },
      ]);
      expect(results.map(({ maxAttempts }) => maxAttempts)).toEqual([3, 3]);
    },
    soakTimeout,
  );
}
