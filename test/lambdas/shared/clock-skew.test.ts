import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsClientConfig } from '../../../lambdas/shared/aws-clients.ts';

/** AWS refuses a signature that is further from its own time ("Signing AWS API requests", 5 minutes for most services). */
const toleratedMilliseconds = 5 * 60_000;

let server: Server;
let skew = 0;
/** How far each signature was from the time of the server, in whole minutes. */
let signedMinutesAway: number[];

/** AWS with another clock, by its two protocols: it refuses what was signed too early or too late, and says its own time. */
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    const now = Date.now() + skew;
    const away = Math.abs(timeOf(String(request.headers['x-amz-date'])) - now);
    signedMinutesAway.push(Math.round(away / 60_000));
    const isXml = request.headers['content-type'] === 'application/x-www-form-urlencoded';
    const refused = away > toleratedMilliseconds;
    response.writeHead(refused ? 403 : 200, {
      date: new Date(now).toUTCString(),
      'content-type': isXml ? 'text/xml' : 'application/x-amz-json-1.1',
    });
    const [accepted, code] = ['{}', 'InvalidSignatureException'];
    if (isXml) {
      response.end(
        refused
          ? `<ErrorResponse><Error><Code>SignatureDoesNotMatch</Code></Error></ErrorResponse>`
          : '<GetCallerIdentityResponse><GetCallerIdentityResult/></GetCallerIdentityResponse>',
      );
    } else {
      response.end(refused ? JSON.stringify({ __type: code, message: 'Signature expired' }) : accepted);
    }
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

function config() {
  return awsClientConfig({
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
}

const calls: readonly (readonly [service: string, open: () => () => Promise<unknown>])[] = [
  [
    'DynamoDB',
    () => {
      const client = new DynamoDBClient(config());
      return () => client.send(new GetItemCommand({ TableName: 't', Key: { id: { S: 'a' } } }));
    },
  ],
  [
    'STS',
    () => {
      const client = new STSClient(config());
      return () => client.send(new GetCallerIdentityCommand({}));
    },
  ],
];

describe.each(calls)('a call of %s', (_service, open) => {
  test.each([20, -20])('is answered when the clock of AWS is %s minutes away', async (minutes) => {
    skew = minutes * 60_000;
    signedMinutesAway = [];
    const call = open();
    await call();
    await call();
    // The first attempt is refused, and the SDK learns the time. Later calls need no second attempt.
    expect(signedMinutesAway).toEqual([20, 0, 0]);
  });
});
