import { setTimeout as delay } from 'node:timers/promises';
import { openAwsServer } from '../../endpoint/aws-server.ts';
import { type ReceivedRequest, readBody, sendResponse } from '../../protocols/request.ts';
import { bucketWith, prepareRuns } from '../support/aws-services.ts';
import { exchange } from '../support/exchange.ts';
import { element, presignedUrl, putHead } from '../support/presigned.ts';

const runs = await prepareRuns([bucketWith()]);
const aws = await runs.start();

/** Returns the status and the code of each response. */
function outcomesOf(response: string): string[] {
  const [, ...responses] = response.split('HTTP/1.1 ');
  return responses.map((one) => `${one.slice(0, 3)} ${element(one, 'Code')}`);
}

describe('a malformed request gets one S3 error, and the connection ends', () => {
  it.each([
    ['two lengths', ['content-length: 3', 'content-length: 4'], '400 BadRequest'],
    ['a length and an empty coding', ['content-length: 3', 'transfer-encoding:'], '400 BadRequest'],
    ['a head that is too large', [`x: ${'a'.repeat(70_000)}`], '400 RequestHeaderSectionTooLarge'],
  ])('%s', async (_, headers, outcome) => {
    const { endpoint, operatorCredentials: credentials } = aws;
    const url = await presignedUrl({ endpoint, key: 'uploads/1', credentials });
    const response = await exchange(endpoint, [putHead(url, headers)]);
    expect(outcomesOf(response)).toEqual([outcome]);
    expect(response).toContain('content-type: application/xml\r\n');
    expect(response).toContain('connection: close\r\n');
    expect(element(response, 'RequestId')).toBe(/x-amz-request-id: (\w+)/.exec(response)?.[1]);
  });

  it.each([
    ['a truncated head', 'PUT /b/k HTTP/1.1\r\nhost:', '400 BadRequest'],
    ['a query that is not UTF-8', 'PUT /b/k?%ff HTTP/1.1\r\nhost: localhost\r\n\r\n', '400 InvalidURI'],
  ])('%s', async (_, bytes, outcome) => {
    expect(outcomesOf(await exchange(aws.endpoint, [bytes], { end: true }))).toEqual([outcome]);
  });
});

describe('a slow client', () => {
  const minute = 60_000;

  async function responseTo(
    bytes: string,
    limits: { headMilliseconds: number; idleMilliseconds: number },
    handle = async (request: ReceivedRequest) => void (await readBody(request, 1000)),
  ) {
    const server = await openAwsServer(0, { limits });
    server.serve({ handle, now: () => new Date(), log: () => undefined });
    const response = await exchange(server.endpoint, [bytes]);
    await server.close();
    return response;
  }

  it.each([
    ['sends no byte', ''],
    ['sends half a head', 'GET / HTTP/1.1\r\nhost: localhost\r\nx: '],
  ])('%s: the connection ends', async (_, bytes) => {
    const response = await responseTo(bytes, { headMilliseconds: 50, idleMilliseconds: minute });
    expect(outcomesOf(response)).toEqual(['400 RequestTimeout']);
  });

  it('pauses within a body for too long: the connection ends', async () => {
    const head = 'PUT /b/k HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n';
    const response = await responseTo(`${head}abc`, { headMilliseconds: minute, idleMilliseconds: 50 });
    expect(outcomesOf(response)).toEqual(['400 RequestTimeout']);
  });

  it('may wait for its response for longer than it may pause', async () => {
    const limits = { headMilliseconds: minute, idleMilliseconds: 20 };
    const head = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n';
    const response = await responseTo(head, limits, async (request) => {
      // The server's own timer detects the pause. It is older than this timer.
      await delay(100);
      await sendResponse(request, { status: 200, headers: { connection: 'close' } });
    });
    expect(outcomesOf(response)).toEqual(['200 undefined']);
  });
});
