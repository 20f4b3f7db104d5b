import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getClient } from '../../cli/operations/clients.ts';
import { sharedBrowser } from './support/launch.ts';
import { seedClient } from './support/seed.ts';
import { type ConsoleWithAws, startConsoleWithAws } from './support/serve.ts';
import { enter, tokenOf } from './support/visitor.ts';

/**
 * What a page on another port of this machine can do to a console that is open in the same browser. Both are one site, so
 * the browser sends the cookie of the session with every request.
 */

let console: ConsoleWithAws;
let other: Server;
let otherOrigin: string;
let context: BrowserContext;
let page: Page;
let clientId: string;

beforeAll(async () => {
  console = await startConsoleWithAws();
  other = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Other</title><p>Another page</p>');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  otherOrigin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});
afterAll(async () => {
  other?.closeAllConnections();
  await new Promise((resolve) => other.close(resolve));
  await console?.stop();
});

beforeEach(async () => {
  clientId = (await seedClient(console.aws.deployment, 'Target of attacks')).client_id;
  context = await (await sharedBrowser()).newContext();
  page = await context.newPage();
  await page.goto(console.newLink());
  await page.goto(`${console.origin}/clients/${clientId}`);
  expect(await page.getByRole('heading', { name: 'Target of attacks' }).count()).toBe(1);
  await page.goto(otherOrigin);
});
afterEach(async () => {
  await context.close();
  expect((await getClient(console.aws.deployment, clientId)).status).toBe('active');
});

const revoke = () => `${console.origin}/clients/${clientId}/revoke`;

describe('a page of another origin', () => {
  it('cannot send a form, even with a true token', async () => {
    const visitor = await enter(console);
    const path = `/clients/${clientId}/revoke`;
    const token = tokenOf((await visitor.get(path)).text, path);
    const answered = page.waitForResponse((response) => response.url() === revoke());
    await page.evaluate(
      `const form = document.createElement('form');
       form.method = 'post';
       form.action = ${JSON.stringify(revoke())};
       form.innerHTML = '<input name="token" value="${token}">';
       document.body.append(form);
       form.submit();`,
    );
    expect((await answered).status()).toBe(403);
    await page.getByText('This request came from another site or program').waitFor();
  });

  it.each(['cors', 'no-cors'])('cannot read or change anything by fetch with mode %s', async (mode) => {
    const read = (path: string, method: string) =>
      page.evaluate(`fetch(${JSON.stringify(`${console.origin}${path}`)}, {
        method: '${method}', mode: '${mode}', credentials: 'include',
        ...('${method}' === 'POST' ? { body: new URLSearchParams({ token: 'x' }) } : {}),
      }).then((answer) => answer.text(), () => 'refused')`);
    for (const [path, method] of [
      ['/clients/export.json', 'GET'],
      [`/clients/${clientId}`, 'GET'],
      [`/clients/${clientId}/revoke`, 'POST'],
      ['/signing-keys/rotate', 'POST'],
    ] as const) {
      expect(['refused', ''], path).toContain(await read(path, method));
    }
  });

  it('cannot frame the console', async () => {
    await page.evaluate(
      `new Promise((resolve) => {
         const frame = document.createElement('iframe');
         frame.src = ${JSON.stringify(`${console.origin}/clients/${clientId}`)};
         frame.onload = resolve;
         document.body.append(frame);
       })`,
    );
    const texts = await Promise.all(page.frames().map((frame) => frame.content().catch(() => '')));
    expect(texts.join()).not.toContain('Target of attacks');
  });

  it('cannot load a page or an export as a script, an image or a style', async () => {
    const load = (element: string, attribute: string) =>
      page.evaluate(
        `new Promise((resolve) => {
           const element = document.createElement('${element}');
           element.onload = () => resolve('loaded');
           element.onerror = () => resolve('refused');
           element.rel = 'stylesheet';
           element.${attribute} = ${JSON.stringify(`${console.origin}/clients/export.json`)};
           document.body.append(element);
         })`,
      );
    expect(await load('script', 'src')).toBe('refused');
    expect(await load('img', 'src')).toBe('refused');
    expect(await load('link', 'href')).toBe('refused');
  });

  it('gets no hold of a window that it opens', async () => {
    const opened = context.waitForEvent('page');
    await page.evaluate(
      `globalThis.opened = open(${JSON.stringify(`${console.origin}/clients/${clientId}`)})`,
    );
    const window = await opened;
    await window.getByRole('heading', { name: 'Target of attacks' }).waitFor();
    expect(await page.evaluate('globalThis.opened.closed')).toBe(true);
    expect(await window.evaluate('globalThis.opener')).toBeNull();
  });
});
