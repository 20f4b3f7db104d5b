import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../tools/console/app.tsx';
import { sharedBrowser } from './support/launch.ts';
import { hostileName, seedClient } from './support/seed.ts';
import { type ConsoleWithAws, startConsole, startConsoleWithAws, type TestConsole } from './support/serve.ts';
import { enter, send, tokenOf } from './support/visitor.ts';
import { seedWorld, type World } from './support/world.ts';

let console: ConsoleWithAws;
let world: World;

beforeAll(async () => {
  console = await startConsoleWithAws();
  world = await seedWorld(console);
});
afterAll(() => console.stop());

/** The addresses of everything that changes something, as the app itself has them, with ids of things that exist. */
function actions(): readonly string[] {
  const { routes } = createApp({ console: {}, sessions: {}, port: 0 } as Parameters<typeof createApp>[0]);
  const ids: Readonly<Record<string, string>> = {
    clients: world.clientId,
    files: 'orders',
    uploads: world.uploads.issued,
  };
  return routes
    .filter(({ method }) => method !== 'GET' && method !== 'ALL')
    .map(({ path }) =>
      path
        .replace(':id', ids[path.split('/')[1] ?? ''] ?? 'none')
        .replace(':secret', world.secretId)
        .replace(':kid', 'current-kid'),
    );
}

/** The true token of any action, as the form of the action has it. */
async function trueToken(served: TestConsole, action: string) {
  const visitor = await enter(served);
  // A form is on the page with its own address, or on the page of what it changes.
  const pages = [action, action.split('/').slice(0, 3).join('/')];
  for (const page of pages) {
    const { text } = await visitor.get(page);
    if (text.includes(`action="${action}"`)) {
      return { visitor, token: tokenOf(text, action) };
    }
  }
  throw new Error(`No page has a form for ${action}.`);
}

describe('every action', () => {
  it('is found in the app', () => {
    expect(actions()).toEqual(
      expect.arrayContaining([
        '/clients/new',
        `/clients/${world.clientId}/secrets/${world.secretId}/remove`,
        '/files/orders/sync',
        `/uploads/${world.uploads.issued}/cancel`,
        '/uploads/replay',
        '/signing-keys/current-kid/revoke',
        '/signing-keys/rotate',
      ]),
    );
  });

  it('needs the token of its own form, of its own session', async () => {
    const visitor = await enter(console);
    for (const action of actions()) {
      const ofOther = (await trueToken(console, action)).token;
      const ofAnotherForm = tokenOf((await visitor.get('/signing-keys/rotate')).text, '/signing-keys/rotate');
      const before = JSON.stringify([...console.aws.calls]);
      const tokens = ['', ofOther, ...(action === '/signing-keys/rotate' ? [] : [ofAnotherForm])];
      for (const token of tokens) {
        const answer = await visitor.post(action, `token=${token}`);
        expect([answer.status, answer.text.includes('The form is too old')], action).toEqual([403, true]);
      }
      expect(JSON.stringify([...console.aws.calls]), action).toBe(before);
    }
  });

  it('needs the origin of the console, even with a true token', async () => {
    const wrong: readonly Readonly<Record<string, string>>[] = [
      ...['http://evil.example', 'null', `http://127.0.0.1:${console.port + 1}`, ''].map((origin) => ({
        origin,
      })),
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const action of actions()) {
      const { visitor, token } = await trueToken(console, action);
      const before = JSON.stringify([...console.aws.calls]);
      for (const headers of wrong) {
        const { status } = await visitor.post(action, `token=${token}`, headers);
        expect(status, `${action} ${JSON.stringify(headers)}`).toBe(403);
      }
      expect(JSON.stringify([...console.aws.calls]), action).toBe(before);
    }
  });

  it('is refused in a console that only reads, even with a true token', async () => {
    const reading = await startConsole(console.aws.deployment, { readOnly: true });
    try {
      for (const action of actions()) {
        const { visitor, token } = await trueToken(reading, action);
        const answer = await visitor.post(action, `token=${token}`);
        expect([answer.status, answer.text.includes('This console only reads')], action).toEqual([403, true]);
      }
    } finally {
      await reading.stop();
    }
  });

  it('takes a form of usual length alone', async () => {
    const visitor = await enter(console);
    const json = { 'content-type': 'application/json' };
    expect((await visitor.post('/clients/new', '{}', json)).status).toBe(400);
    expect((await visitor.post('/clients/new', `name=${'x'.repeat(70_000)}`)).status).toBe(400);
  });
});

describe('the one-time link', () => {
  it('opens the console once, and sets a cookie that no script and no other site gets', async () => {
    const link = console.newLink();
    const first = await send(link);
    expect(first.status).toBe(303);
    expect(first.headers['set-cookie']).toMatch(
      /^file-sync-console-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const second = await send(link);
    expect(second.status).toBe(403);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.text).toContain('Ask for a new one.');
  });

  it('stops working when a new one is made', async () => {
    const old = console.newLink();
    console.newLink();
    expect((await send(old)).status).toBe(403);
  });
});

describe('a session', () => {
  it('is needed for every page', async () => {
    for (const path of ['/', '/clients', '/clients/new', '/clients/+export.csv', '/jobs/1', '/nothing']) {
      const answer = await send(`${console.origin}${path}`);
      expect([answer.status, answer.text.includes('No session')], path).toEqual([401, true]);
    }
  });

  it('ends after 30 minutes without use, and live parts do not count as use', async () => {
    const visitor = await enter(console);
    const live = { 'x-console-live': '1' };
    console.ahead += 29 * 60_000;
    expect((await visitor.get('/clients')).status).toBe(200);
    console.ahead += 29 * 60_000;
    expect((await visitor.get('/clients', live)).status).toBe(200);
    console.ahead += 60_000;
    const late = await visitor.get('/clients', live);
    // The page is loaded again, and says what happened.
    expect([late.status, late.headers['hx-refresh']]).toEqual([401, 'true']);
    expect((await visitor.get('/clients')).status).toBe(401);
  });
});

describe('a request', () => {
  it('is answered under the own names of the console alone', async () => {
    const { cookie } = await enter(console);
    const statusFor = async (host: string) =>
      (await send(`${console.origin}/clients`, { headers: { host, cookie } })).status;
    const { port } = console;
    for (const host of [`localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`]) {
      expect(await statusFor(host), host).toBe(200);
    }
    for (const host of ['evil.example', 'localhost', '127.0.0.1:1', `localhost.evil.example:${port}`]) {
      expect(await statusFor(host), host).toBe(421);
    }
    // Each address of 127.0.0.0/8 is this machine's own; the console has one of them.
    await expect(send(`http://127.0.0.2:${port}/`)).rejects.toThrow('ECONNREFUSED');
  });

  it('is answered with headers that allow nothing from elsewhere, and keep nothing', async () => {
    const visitor = await enter(console);
    for (const path of ['/clients', '/clients/none', '/nothing']) {
      const { headers } = await visitor.get(path);
      expect(headers, path).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
          "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('a page on another port of this machine, in the same browser', () => {
  let other: Server;

  beforeAll(async () => {
    other = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Other</title><p>Another page</p>');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  });

  // Both are one site, so the browser sends the cookie of the session with every request.
  it('cannot send a form, read by fetch, frame a page or load one as a script', async () => {
    const context = await (await sharedBrowser()).newContext();
    try {
      const page = await context.newPage();
      await page.goto(console.newLink());
      await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
      const target = `${console.origin}/clients/${world.clientId}`;
      for (const mode of ['cors', 'no-cors']) {
        for (const method of ['GET', 'POST']) {
          const read = `fetch('${target}', { method: '${method}', mode: '${mode}', credentials: 'include' })
            .then((answer) => answer.text(), () => 'refused')`;
          expect(['refused', ''], `${method} ${mode}`).toContain(await page.evaluate(read));
        }
      }
      const load = (element: string, attribute: string) =>
        page.evaluate(`new Promise((resolve) => {
          const element = document.createElement('${element}');
          element.onload = () => resolve('loaded');
          element.onerror = () => resolve('refused');
          element.${attribute} = '${console.origin}/clients/+export.csv';
          document.body.append(element);
        })`);
      expect([await load('script', 'src'), await load('img', 'src')]).toEqual(['refused', 'refused']);
      await load('iframe', 'src');
      const frames = await Promise.all(page.frames().map((frame) => frame.content().catch(() => '')));
      expect(frames.join()).not.toContain(world.clientId);
      const { token } = await trueToken(console, `/clients/${world.clientId}/revoke`);
      const answered = page.waitForResponse((response) => response.url() === `${target}/revoke`);
      await page.evaluate(`document.body.innerHTML =
        '<form method="post" action="${target}/revoke"><input name="token" value="${token}"></form>';
        document.forms[0].submit();`);
      expect((await answered).status()).toBe(403);
    } finally {
      await context.close();
    }
  });
});

describe('what is secret or hostile', () => {
  it('a new secret is on one page once, and in no address, header or later page', async () => {
    const visitor = await enter(console);
    const fields = { organisation: 'acme', name: 'With a secret', scope: 'volume:read' };
    const made = await visitor.submit('/clients/new', '/clients/new', fields);
    const { location = '' } = made.headers;
    const shown = await visitor.get(location);
    const [secret = 'none'] = /fss_[\w-]+/.exec(shown.text) ?? [];
    expect(secret).toMatch(/^fss_[\w-]{43}/);
    expect(JSON.stringify([made, shown.headers])).not.toContain(secret);
    for (const path of [location, location.split('/secrets')[0] ?? '', '/clients']) {
      const { status, text } = await visitor.get(path);
      expect([status, text.includes(secret)], path).toEqual([200, false]);
    }
  });

  it('a name is shown harmlessly, on its page, in lists and in titles', async () => {
    const { client_id } = await seedClient(console.aws.deployment, hostileName);
    const visitor = await enter(console);
    const search = `/search?${new URLSearchParams({ q: '<b onclick' })}`;
    for (const path of ['/clients', `/clients/${client_id}`, `/clients/${client_id}/revoke`, search]) {
      const { text } = await visitor.get(path);
      expect(text, path).toContain('&lt;b onclick=alert(1)&gt;Name&lt;/b&gt; &quot;quoted&quot; &amp; ');
      expect(text, path).not.toContain('<b onclick');
      expect(text, path).toContain('U+202E');
      expect(text, path).not.toContain('\u202e');
    }
  });
});
