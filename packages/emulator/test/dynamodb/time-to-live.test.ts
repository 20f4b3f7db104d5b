import { expireItems } from '../../dynamodb/time-to-live.ts';
import { prepareRuns, table } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';
import { openTables } from '../support/tables.ts';

const limited = table({}, { TimeToLiveSpecification: { AttributeName: 'ends', Enabled: true } });
const unlimited = table({}, { logicalId: 'Unlimited' });

test('a time to live removes exactly the expired items', async () => {
  const engine = await openTables([limited, unlimited]);
  const put = (TableName: string, S: string, ends?: object) =>
    engine.run('PutItem', { TableName, Item: { id: { S }, ...(ends && { ends }) } });
  const idsOf = async (TableName: string) => {
    const { Items } = await engine.run('Scan', { TableName });
    return Array.from(Object(Items), ({ id }) => id.S).toSorted();
  };
  const now = new Date('2026-01-31T12:00:00.000Z');
  const seconds = now.getTime() / 1000;
  const due = { N: String(seconds) };
  await put(unlimited.ref, 'due', due);
  await Promise.all(Array.from({ length: 120 }, (_, index) => put(limited.ref, `due ${index}`, due)));
  await put(limited.ref, 'later', { N: String(seconds + 1) });
  await put(limited.ref, 'text', { S: String(seconds) });
  await put(limited.ref, 'five years ago', { N: String(seconds - 5 * 366 * 86_400) });
  await put(limited.ref, 'none');
  await expireItems(engine, [limited, unlimited], now);
  expect(await idsOf(limited.ref)).toEqual(['five years ago', 'later', 'none', 'text']);
  expect(await idsOf(unlimited.ref)).toEqual(['due']);
});

test('a time to live is applied in the background', async () => {
  const aws = await (await prepareRuns([limited])).start();
  const { dynamodb } = clients(aws);
  const Item = { id: { S: 'due' }, ends: { N: String(Math.floor(Date.now() / 1000) - 1) } };
  await dynamodb.putItem({ TableName: limited.ref, Item });
  aws.startBackgroundWork();
  const scan = { TableName: limited.ref };
  await expect.poll(() => dynamodb.scan(scan)).toMatchObject({ Items: [] });
});
