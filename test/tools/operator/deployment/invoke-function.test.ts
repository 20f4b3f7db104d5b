import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import * as v from 'valibot';
import type { AwsConfig, Deployment } from '../../../../tools/operator/deployment/deployment.ts';
import { invokeFunction } from '../../../../tools/operator/deployment/invoke-function.ts';
import { listen } from '../../../support/listen.ts';

/**
 * Starts STS, and Lambda with the given response. By default, Lambda does not respond.
 *
 * @returns function that invokes, number of calls, and response of the first invocation
 */
async function startLambda(reply: RequestListener = () => undefined) {
  let calls = 0;
  const server = createServer((request, response) => {
    if (request.url === '/') {
      response.end('<R><GetCallerIdentityResult/></R>');
      return;
    }
    calls += 1;
    server.emit('invocation', request, response);
    request.resume().on('end', () => reply(request, response));
  });
  const arrived = once(server, 'invocation') as Promise<[unknown, ServerResponse]>;
  const deployment = {
    awsConfig: {
      region: 'us-east-1',
      endpoint: await listen(server),
      credentials: { accessKeyId: 'operator', secretAccessKey: 'secret' },
      // The SDK's default number of attempts, without delays.
      retryStrategy: new ConfiguredRetryStrategy(3, 0),
    } as AwsConfig,
    outputs: { ReconcileUploadsFunctionName: 'reconcile', RecordUploadFunctionName: 'record' },
    now: () => Date.now(),
  } as Deployment;
  return {
    invoke: (
      output: 'ReconcileUploadsFunctionName' | 'RecordUploadFunctionName',
      progress?: (text: string) => void,
    ) => invokeFunction(deployment, output, {}, v.object({ recorded: v.number() }), progress),
    calls: () => calls,
    /** Resolves at the first invocation, with the response to write. */
    arrived: arrived.then(([, response]) => response),
  };
}

describe('an invocation whose response is lost is sent only once', () => {
  test.for<readonly [string, RequestListener]>([
    ['the connection breaks', (_, response) => void response.destroy()],
    [
      'the response is cut',
      (_, response) =>
        void response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy()),
    ],
    ['Lambda responds with 500', (_, response) => void response.writeHead(500).end('{"Type":"Service"}')],
  ])('%s', async ([, reply]) => {
    const { invoke, calls } = await startLambda(reply);
    const { problem } = await invoke('ReconcileUploadsFunctionName');
    expect(problem).toMatch(
      /^The response of reconcile-uploads was lost \(.+\), and the function may still be running\.$/,
    );
    expect(calls()).toBe(1);
  });
});

test('the timeout of an invocation is that of its function', async () => {
  const { invoke, calls, arrived } = await startLambda();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const onResponse = vi.fn();
  const reply = invoke('RecordUploadFunctionName').finally(onResponse);
  await arrived;
  await vi.advanceTimersByTimeAsync(70_000);
  expect(onResponse).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await reply).problem).toContain('connection timed out');
  expect(calls()).toBe(1);
});

describe('an invocation that Lambda rejects because too many run', () => {
  const reject: RequestListener = (_, response) =>
    void response.writeHead(429, { 'x-amzn-errortype': 'TooManyRequestsException' }).end('{"Type":"User"}');

  test('is sent again', async () => {
    const responses: RequestListener[] = [reject, reject];
    const { invoke, calls } = await startLambda((request, response) =>
      (responses.shift() ?? (() => response.end('{"recorded":3}')))(request, response),
    );
    expect(await invoke('ReconcileUploadsFunctionName')).toEqual({ result: { recorded: 3 } });
    expect(calls()).toBe(3);
  });

  test('is an error after the last attempt: it was not run', async () => {
    const { invoke } = await startLambda(reject);
    expect(await invoke('RecordUploadFunctionName')).toEqual({
      problem: 'record-upload was not started: too many functions of the account are running.',
    });
  });
});

test('the progress shows how long the function has worked', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const { invoke, arrived } = await startLambda();
  const sentences: string[] = [];
  const reply = invoke('ReconcileUploadsFunctionName', (sentence) => sentences.push(sentence));
  const response = await arrived;
  vi.advanceTimersByTime(40_000);
  response.end('{"recorded":0}');
  await reply;
  vi.advanceTimersByTime(5_000);
  expect(sentences).toHaveLength(40);
  expect(sentences.at(-1)).toBe('Waiting for reconcile-uploads: 40 s so far, at most 5 min');
});
