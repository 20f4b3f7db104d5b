import { openTableEngine } from '../../dynamodb/engine.ts';
import { createTables } from '../../dynamodb/template-tables.ts';
import { table } from './aws-services.ts';

/**
 * Fills a table in the folder `STATE_DIRECTORY` until a write fails, reads it, and writes again. A limit of
 * the shell on the size of files simulates a full disk. Prints the results as one line of JSON.
 */
const engine = await openTableEngine(process.env.STATE_DIRECTORY, 'us-east-1', '000000000000');
await createTables(engine, [table()]);
const TableName = 'test-Table';
const put = (id: number) =>
  engine
    .run('PutItem', { TableName, Item: { id: { S: String(id) }, text: { S: 'x'.repeat(100_000) } } })
    .then(() => 'written', String);

let written = 0;
let failure = await put(0);
while (failure === 'written') {
  written += 1;
  failure = await put(written);
}
const Keys = [{ id: { S: '0' } }];
const { Responses } = await engine.run('BatchGetItem', { RequestItems: { [TableName]: { Keys } } });
const { Count } = await engine.run('Query', {
  TableName,
  KeyConditionExpression: 'id = :id',
  ExpressionAttributeValues: { ':id': { S: '1' } },
});
const read = [(Responses as Record<string, unknown[]>)[TableName]?.length, Count];
const again = await put(written);
await engine.close();
process.stdout.write(JSON.stringify({ written, failure, read, again }));
