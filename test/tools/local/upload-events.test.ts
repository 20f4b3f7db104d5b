import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import cancelledSchema from '../../../docs/events/upload-cancelled.schema.json' with { type: 'json' };
import completedSchema from '../../../docs/events/upload-completed.schema.json' with { type: 'json' };
import expiredSchema from '../../../docs/events/upload-expired.schema.json' with { type: 'json' };
import { exampleEvent } from '../../../tools/generate/events/example.ts';
import { s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import { cancelUpload } from '../../../tools/operator/uploads/cancel.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { createApiUser } from '../../support/api-user.ts';
import { adminOf } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { readLog } from './support/read-log.ts';

/** Tests the events of uploads, as a running stack sends them. */

const stack = await useRunningStack();
const user = await createApiUser(stack);
await user.store('four');
await cancelUpload(stack.deployment, (await user.issue()).uploadId);
await user.issue();
await stack.eventsSettled();
await stack.runSchedules(new Date(Date.now() + 2 * 3_600_000));

/** Returns the events of an upload so far. */
const eventsOf = (uploadId: string) => stack.sentEvents.filter(({ detail }) => detail.upload_id === uploadId);

const ajv = new Ajv2020({ strict: true, allErrors: true });
addFormats.default(ajv);
const schemas: Readonly<Record<string, object>> = {
  'Upload Completed': completedSchema,
  'Upload Cancelled': cancelledSchema,
  'Upload Expired': expiredSchema,
};

describe('the id of a sync request', () => {
  /** Returns the message of each line with the request id in a log. Lines of the access log have none. */
  async function messagesIn(name: RegExp, requestId: string): Promise<readonly unknown[]> {
    const lines = await readLog(stack.stateDirectory, name);
    return lines
      .filter(({ request_id, requestId: logged }) => (request_id ?? logged) === requestId)
      .map(({ message }) => message);
  }

  test('leads from the response to the logs, the record and the event', async () => {
    const { requestId, uploadId } = await user.store('four');
    expect(await messagesIn(/^access\.log$/, requestId)).toEqual([undefined]);
    expect(await messagesIn(/SyncFunction/, requestId)).toEqual(['Upload URL issued']);
    expect(await messagesIn(/RecorderRecord/, requestId)).toEqual(['Upload recorded']);
    const { key, ...upload } = await getUpload(stack.deployment, uploadId);
    const { file_id, client_id, version_id } = { version_id: undefined, ...upload };
    const bucket = stack.deployment.outputs.BucketName;
    const detail = { request_id: requestId, file_id, client_id, bucket, key, version_id, size: 4 };
    expect(eventsOf(uploadId)).toMatchObject([{ detail }]);
  });

  test('leads to the lines about a cancelled upload, too', async () => {
    const { requestId, uploadId } = await user.issue();
    await cancelUpload(stack.deployment, uploadId);
    await stack.eventsSettled();
    expect(await messagesIn(/RecorderRecord/, requestId)).toEqual(['Object is a tombstone, not an upload']);
  });
});

describe('the event of an upload', () => {
  test('leads to the bytes of a packed file as they came', async () => {
    const packed = gzipSync('a,b\n1,2\n');
    const fileId = await user.newFile();
    const { url, uploadId } = await user.issue(fileId);
    await fetch(url, { method: 'PUT', body: packed, headers: { 'content-encoding': 'gzip' } });
    await stack.eventsSettled();
    const { bucket: Bucket, key: Key } = Object(eventsOf(uploadId)[0]?.detail);
    const s3 = await s3Client(stack.deployment);
    expect((await s3.headObject({ Bucket, Key })).ContentEncoding).toBe('gzip');
    const output = join(await temporaryFolder(), 'orders.csv.gz');
    await adminOf(stack.deployment)(`file download ${fileId} --output ${output}`);
    expect(await readFile(output)).toEqual(packed);
  });

  test.for(Object.keys(schemas))('%s is as the published schema says', (type) => {
    const validate = ajv.compile(schemas[type] ?? {});
    const sent = stack.sentEvents.filter((event) => event['detail-type'] === type);
    expect(sent.map((event) => [validate(event), validate.errors])).toEqual(sent.map(() => [true, null]));
    expect(sent).not.toEqual([]);
  });

  test('is in the documentation as it is sent', () => {
    const validate = ajv.compile(completedSchema);
    expect([validate(exampleEvent), validate.errors]).toEqual([true, null]);
    const [sent] = stack.sentEvents.filter((event) => event['detail-type'] === 'Upload Completed');
    expect(Object.keys(exampleEvent)).toEqual(Object.keys(sent ?? {}));
    expect(Object.keys(exampleEvent.detail)).toEqual(Object.keys(sent?.detail ?? {}));
  });
});
