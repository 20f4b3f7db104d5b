import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setFaults } from 'cloud-assembly-emulator/faults';
import { describe, expect, test } from 'vitest';
import { createFile } from '../../../tools/operator/files/file.ts';
import { createApiUser } from '../../support/api-user.ts';
import { unsignedToken } from '../../support/forged-token.ts';
import { listen } from '../../support/listen.ts';
import { admin, adminOf } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/** The story of a request, from the lines that API Gateway and the functions wrote. */

const stack = await useRunningStack();
const user = await createApiUser(stack);
const fileId = await user.newFile();

const requestIdOf = (answer: Response) => answer.headers.get('apigw-requestid') ?? '';
const run = adminOf(stack.deployment);
const storyOf = async (id: string) => (await run('request', 'show', id, '--json')).json();

const post = (path: string, init: RequestInit = {}) =>
  fetch(`${stack.baseUrl}${path}`, { method: 'POST', ...init });
const requestToken = (more: Readonly<Record<string, string>> = {}) => {
  const { client_id, client_secret } = user.client;
  const form = { grant_type: 'client_credentials', client_id, client_secret, ...more };
  return post('/oauth/token', { body: new URLSearchParams(form) });
};
const otherSecret = async () => (await createApiUser(stack)).client.client_secret;
const tokenFor = async (scope: string) => {
  const answer = (await (await requestToken({ scope })).json()) as { readonly access_token: string };
  return answer.access_token;
};
const newFile = async (organisationId: string, syncEnabled: boolean) =>
  (await createFile(stack.deployment, { organisationId, name: 'other', syncEnabled })).file_id;
const whileDynamoDBFails = async (ask: () => Promise<Response>) => {
  setFaults(stack.stateDirectory, { dynamodb: 'failing' });
  const answer = await ask();
  setFaults(stack.stateDirectory, {});
  return answer;
};

describe('the story of a request', () => {
  test.for<[what: string, ask: () => Promise<Response>, json: object, says: RegExp]>([
    [
      'that got a token',
      () => requestToken(),
      { status: 200, outcome: 'answered', asked_for: 'an access token', organisation_id: 'acme' },
      /127\.0\.0\.1.*The request succeeded\./s,
    ],
    [
      'with a wrong secret: 401',
      async () => requestToken({ client_secret: await otherSecret() }),
      { status: 401, outcome: 'refused', refusal: 'wrong_secret', ip: '127.0.0.1' },
      /The client secret is wrong or has ended\..*client rotate-secret client_/s,
    ],
    [
      'with a token that nobody signed: 401',
      () => user.sync(fileId, unsignedToken(stack.baseUrl)),
      { status: 401, asked_for: 'an upload URL', refusal: 'invalid_token' },
      /The client must send the token as it was issued\./s,
    ],
    [
      'with too few scopes: 403',
      async () => user.sync(fileId, await tokenFor('volume:read')),
      { status: 403, refusal: 'insufficient_scope' },
      /requires the scope sync:create.*client set-scopes client_/s,
    ],
    [
      'for a file that does not exist: 404',
      () => user.sync('nowhere'),
      { status: 404, refusal: 'not_found' },
      /No file has the id in the request\./s,
    ],
    [
      'for a file of another organisation: 404',
      async () => user.sync(await newFile('globex', true)),
      { status: 404, refusal: 'not_found' },
      /The file belongs to the organisation globex\./s,
    ],
    [
      'for a file without syncing: 409',
      async () => user.sync(await newFile('acme', false)),
      { status: 409, refusal: 'sync_not_enabled', file_id: expect.stringMatching(/^file_/) },
      /Syncing is not enabled for this file\..*file enable-sync file_/s,
    ],
    [
      'to a path that is no route: 404',
      () => post('/v1/files'),
      { status: 404, asked_for: 'a path that the API does not have' },
      /The API has no such method and path.*POST \/oauth\/token/s,
    ],
    [
      'with a body that is too large: 413',
      () => post('/oauth/token', { body: 'x'.repeat(11_000_000) }),
      { status: 413, outcome: 'refused' },
      /A client sends a file to the upload URL, never to the API\./s,
    ],
    [
      'during a failure of DynamoDB: 500',
      () => whileDynamoDBFails(() => requestToken()),
      { status: 500, outcome: 'failed', aws_request_id: expect.any(String) },
      /The service failed: .*The client may try again\..*doctor/s,
    ],
  ])('%s', async ([, ask, json, says]) => {
    const id = requestIdOf(await ask());
    expect(await storyOf(id)).toMatchObject({ request_id: id, ...json });
    const { stdout, stderr } = await run('request', 'show', id);
    expect(`${stdout}${stderr}`).toMatch(says);
  });

  test.for([/$/, /=$/])('is found by its id without %s', async (cut) => {
    const id = requestIdOf(await user.sync('nowhere'));
    const typed = id.replace(cut, '');
    expect(await storyOf(typed)).toMatchObject({ request_id: id });
    expect((await run('search', '--json', typed)).json().data).toEqual([{ kind: 'request', id }]);
  });

  test('that is too old says how far it looked, and how to look further', async () => {
    const told = await run('request', 'show', 'JKJaXmPLvHcESHA=');
    expect(told).toMatchObject({ code: 1, stdout: '' });
    expect(told.stderr).toContain('No request with the id "JKJaXmPLvHcESHA=" was found.');
    expect(told.stderr).toContain('request show JKJaXmPLvHcESHA= --since 7d');
    expect(told.stderr).toContain('upload list --request JKJaXmPLvHcESHA=');
  });

  test('is looked for by an id that begins as an option does', async () => {
    const told = await run('request', 'show', '-KJaXmPLvHcESHA=');
    expect(told.stderr).toContain('No request with the id "-KJaXmPLvHcESHA=" was found.');
  });

  test('of a text that is no request id is not looked for', async () => {
    expect(await run('request', 'show', 'orders')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('copy the header apigw-requestid'),
    });
  });
});

/** AWS for an operator who may not read one log. @param logGroup a part of its name */
async function withoutLog(logGroup: string) {
  const { endpoint = '', ...others } = stack.deployment.awsConfig;
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    if (body.includes(logGroup) && body.includes('filterPattern')) {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify({ __type: 'AccessDeniedException', message: 'no' }));
      return;
    }
    // The signature is over the Host of this server, so all headers go on as they are.
    const { method, headers, url = '/' } = incoming;
    const onward = request(new URL(url, endpoint), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.end(body);
  });
  return { ...stack.deployment, awsConfig: { ...others, endpoint: await listen(server) } };
}

describe('an operator who may not read', () => {
  test('the log of a function gets the rest of the story', async () => {
    const id = requestIdOf(await user.sync('nowhere'));
    const { stdout, stderr } = await admin(await withoutLog('SyncLogs'), ['--local', 'request', 'show', id]);
    expect(stdout).toContain('The function sync refused the request. Its log has the reason');
    expect(stderr).toContain('The log of sync was not read, because your AWS credentials lack');
  });

  test('the access log is told so', async () => {
    const id = requestIdOf(await user.sync('nowhere'));
    const told = await admin(await withoutLog('ApiAccessLog'), ['--local', 'request', 'show', id]);
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining('do not allow this') });
  });
});

describe('the timeline of an upload URL', () => {
  const eventsOf = async (requestId: string) => {
    const { timeline } = (await storyOf(requestId)) as { timeline: readonly { readonly event: string }[] };
    return timeline.map(({ event }) => event);
  };

  test('that nobody used ends when it expires', async () => {
    const { requestId } = await user.issue();
    expect(await eventsOf(requestId)).toEqual(['Asked for', 'URL issued', 'URL expires']);
  });

  test('that took content says how much, and from where', async () => {
    const { requestId, put, uploadId } = await user.issue();
    await put('content');
    await stack.eventsSettled();
    const { timeline } = await storyOf(requestId);
    expect(timeline).toMatchObject([
      { event: 'Asked for', detail: 'from 127.0.0.1' },
      { event: 'URL issued', detail: 'to 127.0.0.1' },
      { event: 'Bytes sent', detail: '7 bytes from 127.0.0.1, recorded and announced' },
    ]);
    const shown = (await run('upload', 'show', uploadId, '--json')).json();
    expect(timeline).toEqual([expect.objectContaining({ event: 'Asked for' }), ...(shown.timeline as [])]);
  });

  test('whose content was replaced says when its content is deleted', async () => {
    const first = await user.issue(fileId);
    await first.put('old');
    await stack.eventsSettled();
    await (await user.issue(fileId)).put('new');
    await stack.eventsSettled();
    expect(await eventsOf(first.requestId)).toEqual([
      'Asked for',
      'URL issued',
      'Bytes sent',
      'Replaced by newer content of the file',
      'Replaced content is deleted',
    ]);
  });

  test('that was cancelled says when', async () => {
    const { requestId, uploadId } = await user.issue();
    await run('upload', 'cancel', uploadId);
    await stack.eventsSettled();
    expect((await eventsOf(requestId)).slice(0, 3)).toEqual(['Asked for', 'URL issued', 'URL cancelled']);
  });

  test('whose file was deleted says until when the record is kept', async () => {
    const file = await user.newFile();
    const { requestId, put } = await user.issue(file);
    await put('content');
    await stack.eventsSettled();
    await run('file', 'delete', file, '--yes');
    expect(await eventsOf(requestId)).toEqual([
      'Asked for',
      'URL issued',
      'Bytes sent',
      'Deleted with its file',
      'Updated by an operator',
      'The record may be removed from then on',
    ]);
  });
});
