import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { prepareRuns, table } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';

const limited = table({}, { TimeToLiveSpecification: { AttributeName: 'ends', Enabled: true } });
const unlimited = table({}, { logicalId: 'Unlimited' });

async function start() {
  const runs = await prepareRuns([limited, unlimited]);
  const aws = await runs.start();
  const { dynamodb } = clients(aws);
  return {
    aws,
    put: (TableName: string, id: string, ends = {}) =>
      dynamodb.send(new PutItemCommand({ TableName, Item: { id: { S: id }, ...ends } })),
    idsOf: async (TableName: string) => {
      const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
      return Items.map(({ id }) => id?.S).toSorted();
    },
  };
}

test('a time to live removes exactly the items whose number is over', async () => {
  const { aws, put, idsOf } = await start();
  const now = new Date('2026-01-31T12:00:00.000Z');
  const seconds = now.getTime() / 1000;
  const due = { ends: { N: String(seconds) } };
  await put(unlimited.ref, 'due', due);
  await Promise.all(Array.from({ length: 120 }, (_, index) => put(limited.ref, `due ${index}`, due)));
  await put(limited.ref, 'later', { ends: { N: String(seconds + 1) } });
  await put(limited.ref, 'text', { ends: { S: String(seconds) } });
  await put(limited.ref, 'five years ago', { ends: { N: String(seconds - 5 * 366 * 86_400) } });
  await put(limited.ref, 'none');
  await aws.applyRetention(now);
  expect(await idsOf(limited.ref)).toEqual(['five years ago', 'later', 'none', 'text']);
  expect(await idsOf(unlimited.ref)).toEqual(['due']);
});

test('it is applied in the background', async () => {
  const { aws, put, idsOf } = await start();
  await put(limited.ref, 'due', { ends: { N: String(Math.floor(Date.now() / 1000) - 1) } });
  expect(await idsOf(limited.ref)).toEqual(['due']);
  aws.startBackgroundWork();
  await expect.poll(() => idsOf(limited.ref)).toEqual([]);
});
