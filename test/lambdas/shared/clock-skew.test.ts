import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { awsClientConfig } from '../../../lambdas/shared/aws-clients.ts';

const minute = 60_000;

let server: Server;
let skew = 0;
/** How far each signature was from the time of the server, in whole minutes. */
let signedMinutesAway: number[];

/** AWS with another clock. It says its own time, and refuses a signature that is more than 5 minutes away ("Signing AWS API requests"). */
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    const now = Date.now() + skew;
    const away = Math.abs(timeOf(String(request.headers['x-amz-date'])) - now) / minute;
    signedMinutesAway.push(Math.round(away));
    const refused = away > 5;
    const headers = { date: new Date(now).toUTCString(), 'content-type': 'application/x-amz-json-1.0' };
    response.writeHead(refused ? 403 : 200, headers);
    response.end(refused ? '{"__type":"InvalidSignatureException","message":"Signature expired"}' : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** `20260131T090000Z`, in milliseconds since the epoch. */
function timeOf(basic: string): number {
  return Date.parse(basic.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:'));
}

test('a call is answered when the clock of the function is 20 minutes ahead of AWS, or behind', async () => {
  for (const minutes of [20, -20]) {
    skew = minutes * minute;
    signedMinutesAway = [];
    const client = new DynamoDBClient(
      awsClientConfig({
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      }),
    );
    const read = () => client.send(new GetItemCommand({ TableName: 't', Key: { id: { S: 'a' } } }));
    await read();
    await read();
    client.destroy();
    // The first attempt is refused, and the SDK learns the time. Later calls need no second attempt.
    expect(signedMinutesAway).toEqual([20, 0, 0]);
  }
});
