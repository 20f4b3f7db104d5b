import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { prepareRuns, table } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';

const owned = table({ 'by-owner': 'owner' });
const aws = await (await prepareRuns([owned])).start();
const { dynamodb } = clients(aws);

const TableName = owned.ref;
const Key = { id: { S: 'a' } };
const change = {
  UpdateExpression: 'SET #owner = :owner',
  ExpressionAttributeNames: { '#owner': 'owner' },
};

const refusal = {
  name: 'ValidationException',
  message: expect.stringMatching(/contain an empty string value\. IndexName: by-owner, IndexKey: owner$/),
};

test('PutItem refuses an empty text as the key of an index', async () => {
  const Item = { ...Key, owner: { S: '' } };
  await expect(dynamodb.send(new PutItemCommand({ TableName, Item }))).rejects.toMatchObject(refusal);
});

test('UpdateItem refuses an empty text as the key of an index', async () => {
  const ExpressionAttributeValues = { ':owner': { S: '' } };
  const update = new UpdateItemCommand({ TableName, Key, ...change, ExpressionAttributeValues });
  await expect(dynamodb.send(update)).rejects.toMatchObject(refusal);
});
