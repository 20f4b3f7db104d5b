import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../tools/console/app.tsx';
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
    organisations: 'acme',
  };
  return routes
    .filter(({ method }) => method !== 'GET' && method !== 'ALL')
    .map(({ path }) =>
      path
        .replace(
          ':id',
          path.endsWith('/restore') ? world.revokedClient : (ids[path.split('/')[1] ?? ''] ?? 'none'),
        )
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
  it('needs the token of its own form and session, and the origin of the console', async () => {
    const visitor = await enter(console);
    const ofAnotherForm = tokenOf((await visitor.get('/files/+new')).text, '/files/+new');
    const wrong: readonly Readonly<Record<string, string>>[] = [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${console.port + 1}` },
      { origin: '' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    const all = actions();
    expect(all.length).toBeGreaterThan(12);
    for (const action of all) {
      const own = await trueToken(console, action);
      const before = JSON.stringify([...console.aws.calls]);
      for (const token of ['', own.token, ...(action === '/files/+new' ? [] : [ofAnotherForm])]) {
        const answer = await visitor.post(action, `token=${token}`);
        expect([answer.status, answer.text.includes('The form is too old')], action).toEqual([403, true]);
      }
      for (const headers of wrong) {
        const { status } = await own.visitor.post(action, `token=${own.token}`, headers);
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

  it('is not used up by a HEAD request, as programs send that look at links', async () => {
    const link = console.newLink();
    const head = await send(link, { method: 'HEAD' });
    expect([head.status, head.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await send(link)).status).toBe(303);
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

  it('from another site, or another port of this machine, may only open a page', async () => {
    const visitor = await enter(console);
    for (const site of ['cross-site', 'same-site']) {
      const statusFor = async (mode: string, dest: string) => {
        const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest };
        return (await visitor.get('/clients/+export.csv', headers)).status;
      };
      expect(await statusFor('navigate', 'document'), site).toBe(200);
      expect(await statusFor('navigate', 'iframe'), site).toBe(403);
      expect(await statusFor('cors', 'empty'), site).toBe(403);
      expect(await statusFor('no-cors', 'script'), site).toBe(403);
      expect(await statusFor('no-cors', 'image'), site).toBe(403);
    }
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

describe('a hostile name', () => {
  it('is shown harmlessly, on its page, in lists and in titles', async () => {
    const { client_id } = await seedClient(console.aws.deployment, hostileName);
    const visitor = await enter(console);
    const search = `/search?${new URLSearchParams({ q: '<b onclick' })}`;
    for (const path of ['/clients', `/clients/${client_id}`, `/clients/${client_id}/revoke`, search]) {
      const { text } = await visitor.get(path);
      expect(text, path).toContain('&lt;b onclick=alert(1)&gt;Name&lt;/b&gt; &quot;quoted&quot; &amp; ');
      expect(text, path).not.toContain('<b onclick');
      expect(text, path).toContain('[U+202E]gnp[U+3164].exe');
      expect(text, path).not.toMatch(/[\u202e\u3164]/);
    }
  });
});
