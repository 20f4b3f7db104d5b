import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../cli/operations/clients.ts';
import { createFile } from '../../cli/operations/files.ts';
import { getUpload } from '../../cli/operations/uploads.ts';
import { type RunningStack, startRunningStack } from '../support/running-stack.ts';
import { closePagesAfterEach, expectAccessible, openPage } from './support/browser.ts';
import { type ConsoleWithAws, startConsole, startConsoleWithAws, type TestConsole } from './support/serve.ts';
import { enter } from './support/visitor.ts';

closePagesAfterEach();

describe('requests to a local run', () => {
  let stack: RunningStack;
  let console: TestConsole;

  beforeAll(async () => {
    stack = await startRunningStack();
    console = await startConsole(stack.deployment);
  }, 60_000);
  afterAll(async () => {
    await console?.stop();
    await stack?.close();
  });

  // The first test: the deployment is empty.
  it('lead a new user in 14 clicks, and without copying an id, from nothing to a cancelled upload', async () => {
    const page = await openPage(console);
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const enterNames = async (name: string) => {
      await page.getByLabel('Organisation').fill('acme');
      await page.getByLabel('Name').fill(name);
    };
    await click(page.getByRole('main').getByRole('link', { name: 'Create a client' }));
    await enterNames('Nightly export');
    await click(page.getByLabel('volume:read'));
    await click(page.getByLabel('sync:create'));
    await click(button('Create the client'));
    await click(button('Try it: get an access token'));
    await link('Next: Issue an upload URL for a file').waitFor();
    await expectAccessible(page);
    await click(link('Files'));
    await click(link('Create the first file'));
    await enterNames('Orders');
    await click(page.getByLabel('Let clients request upload URLs immediately'));
    await click(button('Create the file'));
    await click(link('Try an upload'));
    await click(button('Send the request'));
    await click(link('See the upload'));
    await page.getByText('Waiting for the bytes').waitFor();
    await click(link('Cancel the upload'));
    await click(button('Cancel the upload'));
    await page.getByText('The upload was cancelled.').waitFor();
    expect(clicks).toBe(14);
    await page.goto(`${console.origin}/overview`);
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0);
  });

  it('get a token, list volumes, and sync a file, and show no secret', async () => {
    const { client_id, client_secret } = await createClient(stack.deployment, {
      organisationId: 'acme',
      name: 'Test',
      scopes: ['volume:read', 'sync:create'],
    });
    const { file_id } = await createFile(stack.deployment, {
      organisationId: 'acme',
      name: 'Orders',
      syncEnabled: true,
    });
    const page = await openPage(console, '/try');
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.getByRole('link', { name: 'Issue an access token' }).click();
    await page.getByLabel('client_id').fill(client_id);
    await page.getByLabel('client_secret').fill(client_secret);
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.getByLabel('Body of the answer').getByText('"token_type": "Bearer"').waitFor();
    const shown = await page.content();
    expect(shown).not.toContain(client_secret);
    expect(shown).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/);
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Try it' }).click();
    await page.getByRole('link', { name: 'List volumes' }).click();
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.getByLabel('Body of the answer').getByText('"data"').waitFor();

    await page.goto(`${console.origin}/try/createFileSync`);
    await page.getByLabel('fileId').fill(file_id);
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.getByRole('link', { name: 'Send a file to this upload URL' }).click();
    await page.getByRole('textbox', { name: 'A text' }).fill('id;total\n1;2\n');
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.getByText('The storage has the same bytes.').waitFor();
    const uploadId = (await page.locator('main a[href^="/uploads/"]').textContent()) ?? '';
    await expect
      .poll(async () => (await getUpload(stack.deployment, uploadId)).state, { timeout: 20_000 })
      .toBe('completed');
    expect(addresses.join()).not.toContain('Signature');
    expect(addresses.join()).not.toContain(client_secret);
    await page.goto(`${console.origin}/try/upload`);
    await page.getByText('There is no upload URL in this session.').waitFor();
  });

  it('send a chosen file without scripts, and forget the token when asked', async () => {
    const { client_id, client_secret } = await createClient(stack.deployment, {
      organisationId: 'acme',
      name: 'Test',
      scopes: ['sync:create'],
    });
    const { file_id } = await createFile(stack.deployment, {
      organisationId: 'acme',
      name: 'Binary',
      syncEnabled: true,
    });
    const page = await openPage(console, '/try/createToken', { javaScriptEnabled: false });
    await page.getByLabel('client_id').fill(client_id);
    await page.getByLabel('client_secret').fill(client_secret);
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.goto(`${console.origin}/try/createFileSync`);
    await page.getByLabel('fileId').fill(file_id);
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.getByRole('link', { name: 'Send a file to this upload URL' }).click();
    const buffer = Buffer.from([0, 255, 10, 13, 128]);
    await page.getByLabel('A file').setInputFiles({ name: 'b.bin', mimeType: 'application/x-b', buffer });
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.getByText('The storage has the same bytes.').waitFor();
    expect(await page.getByText('5 bytes').count()).toBe(1);
    await page.goto(`${console.origin}/try`);
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.getByText('This session has no access token.').waitFor();
  });

  it('show refusals of the API as they are, and what is missing before anything is sent', async () => {
    const visitor = await enter(console);
    const missing = await visitor.submit('/try/createToken', '/try/createToken', {
      client_id: 'kept',
      'body.scope': '',
    });
    expect(missing.status).toBe(422);
    expect(missing.text).toContain('value="kept"');
    expect(missing.text).toContain('Enter the secret of the client');
    const refused = await visitor.submit('/try/listVolumes', '/try/listVolumes');
    expect(refused.status).toBe(303);
    expect((await visitor.get('/try/listVolumes')).text).toContain('Unauthorized');
    const other = await enter(console);
    expect((await other.get('/try/listVolumes')).text).not.toContain('The answer');
  });

  it('refuse a path that leads elsewhere', async () => {
    const visitor = await enter(console);
    for (const fileId of ['..', '../../x', '/evil.example/']) {
      const answer = await visitor.submit('/try/createFileSync', '/try/createFileSync', {
        'path.fileId': fileId,
      });
      const { text } = await visitor.get('/try/createFileSync');
      expect(answer.status === 422 || text.includes('Unauthorized'), fileId).toBe(true);
    }
  });

  it('refuse files that are too large for the console', async () => {
    const visitor = await enter(console);
    const big = `--x\r\ncontent-disposition: form-data; name="token"\r\n\r\n${'y'.repeat(1_200_000)}\r\n--x--\r\n`;
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await visitor.post('/try/upload', big, type)).status).toBe(400);
    expect((await visitor.post('/try/upload', 'no form', type)).status).toBe(400);
  });
});

describe('the reference', () => {
  let console: ConsoleWithAws;
  let stackConsole: TestConsole;

  beforeAll(async () => {
    console = await startConsoleWithAws();
    stackConsole = await startConsole(console.aws.deployment, { kind: 'stack' });
  });
  afterAll(async () => {
    await stackConsole?.stop();
    await console?.stop();
  });

  it('of a stack has no forms, and sends nothing', async () => {
    const visitor = await enter(stackConsole);
    const { text } = await visitor.get('/try/createFileSync');
    expect(text).toContain('Requests are sent to a local run only');
    expect(text).toContain('/v0/files/{fileId}/sync');
    expect(text).not.toContain('method="post"');
    const before = console.api.requests.length;
    const { text: local } = await (await enter(console)).get('/clients/new');
    expect(local).toContain('name="token"');
    const answer = await visitor.post('/try/createFileSync', 'path.fileId=a&token=x');
    expect(answer.status).toBe(403);
    expect(console.api.requests.slice(before)).not.toContain('POST /v0/files/a/sync');
  });

  it('shows a hostile document harmlessly', async () => {
    const markup = '<script>alert(1)</script><img src=x onerror=alert(1)> \u202egnp.exe';
    const document = {
      openapi: '3.1.0',
      info: { title: markup, version: markup, description: `**${markup}** \`${markup}\`` },
      tags: [{ name: markup, description: markup }],
      paths: {
        '/a': {
          get: {
            operationId: 'hostile',
            tags: [markup],
            summary: markup,
            description: `[link](javascript:alert(1)) ${markup}`,
            parameters: [{ name: 'q', in: 'query', description: markup }],
            responses: {
              [markup]: {
                description: markup,
                content: {
                  [markup]: {
                    schema: { type: markup, $ref: 'javascript:alert(1)', properties: { [markup]: {} } },
                    example: { [markup]: markup },
                  },
                },
              },
            },
          },
        },
      },
      components: { schemas: { [markup]: { $ref: `#/components/schemas/${markup}` } } },
    };
    console.api.document = JSON.stringify(document);
    console.ahead += 120_000;
    const page = await openPage(console, '/try');
    for (const path of ['/try', '/try/hostile', '/try/schemas']) {
      await page.goto(`${console.origin}${path}`);
      expect(await page.locator('main script, main img, main [onerror]').count()).toBe(0);
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
      expect(await page.content()).not.toContain('\u202e');
      await expectAccessible(page);
    }
  });

  it.each([
    ['a page', '<!doctype html><title>Sign in</title>'],
    ['another document', '{"openapi":"2.0","paths":{}}'],
    [
      'a path to elsewhere',
      '{"openapi":"3.1.0","info":{"title":"","version":""},"paths":{"@evil.example":{}}}',
    ],
    ['a document that is nested too deeply', `{"openapi":"3.1.0","info":${'['.repeat(300_000)}`],
    ['more than any document', ' '.repeat(1_100_000)],
  ])('is not made of %s', async (_, text) => {
    console.api.document = text;
    console.ahead += 120_000;
    const answer = await (await enter(console)).get('/try');
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/something else than an OpenAPI document|larger than any/);
  });
});
