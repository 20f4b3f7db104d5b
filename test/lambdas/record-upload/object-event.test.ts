import * as v from 'valibot';
import { readObjectEvent } from '../../../lambdas/record-upload/object-event.ts';

const object = { key: 'uploads/a', size: 5, etag: '"etag-1"', 'version-id': 'v1', sequencer: '0055AE' };
const event = {
  version: '0',
  'detail-type': 'Object Created',
  source: 'aws.s3',
  time: '2026-01-31T09:00:00Z',
  detail: { bucket: { name: 'bucket' }, object, reason: 'PutObject', 'source-ip-address': '192.0.2.7' },
  // The operator who replays the event.
  operator: 'ada',
};
const withObject = (change: object) => ({ ...event, detail: { object: { ...object, ...change } } });

test('an event of S3 is read as documented, without quotes around the etag', () => {
  const read = {
    key: 'uploads/a',
    versionId: 'v1',
    size: 5,
    etag: 'etag-1',
    createdAt: new Date('2026-01-31T09:00:00.000Z'),
    operator: 'ada',
  };
  expect(readObjectEvent(event)).toEqual({ ...read, sourceIp: '192.0.2.7' });
  expect(readObjectEvent(withObject({ etag: 'etag-1', size: 0 }))).toEqual({ ...read, size: 0 });
});

test.for([
  ['time', undefined],
  ['time', 1_769_850_000],
  ['time', '2026-01-31'],
  ['detail', {}],
] as const)('an event is rejected whose %s is %j', ([name, value]) => {
  expect(() => readObjectEvent({ ...event, [name]: value })).toThrow(v.ValiError);
});

test.for([
  ['size', undefined],
  ['size', -1],
  ['size', 0.5],
  ['key', undefined],
  ['etag', undefined],
  ['version-id', undefined],
] as const)('an event is rejected whose object has the %s %j', ([name, value]) => {
  expect(() => readObjectEvent(withObject({ [name]: value }))).toThrow(v.ValiError);
});
