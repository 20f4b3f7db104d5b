import { describe, expect, it, test } from 'vitest';
import { createApp } from '../../../tools/console/app.tsx';
import { nouns } from '../../../tools/operator/description/noun.ts';
import { everyAction } from '../operator/support/every-action.ts';
import { hostileName, seedClient } from './support/seed.ts';
import { startConsole, startConsoleWithAws } from './support/serve.ts';
import { type Answer, enter, send, tokenOf } from './support/visitor.ts';
import { formOf, seedWorld } from './support/world.ts';

/** The same console, started with --read-only. */

const console = await startConsoleWithAws();
const world = await seedWorld(console);
const reading = await startConsole(console.aws.deployment, { readOnly: true });

/** The status of each answer, and whether the answer has this text. */
const refusalsIn = (answers: readonly Answer[], reason: string) =>
  answers.map(({ status, text }) => [status, text.includes(reason)]);

test('everything that changes something is an action', () => {
  const { routes } = createApp({ console: {}, sessions: {}, port: 0 } as Parameters<typeof createApp>[0]);
  const changing = routes.filter(({ method }) => method !== 'GET' && method !== 'ALL');
  const paths = everyAction.map(
    ({ noun, verb, isOnOne }) => `/${nouns[noun].plural}/${isOnOne ? `:id/${verb}` : `+${verb}`}`,
  );
  expect(changing.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    paths.map((path) => `POST ${path}`).toSorted(),
  );
});

describe('an action', () => {
  test.for(everyAction)('needs the token of its form and session: $noun $verb', async (action) => {
    const form = formOf(action, world);
    const other = form === '/files/+create' ? '/clients/+create' : '/files/+create';
    const [visitor, stranger] = [await enter(console), await enter(console)];
    const tokens = [
      '',
      tokenOf((await visitor.get(other)).text, other),
      tokenOf((await stranger.get(form)).text, form),
    ];
    const before = [...console.aws.calls];
    const answers = await Promise.all(tokens.map((token) => visitor.post(form, `token=${token}`)));
    const refused = [403, true];
    expect(refusalsIn(answers, 'The form is too old')).toEqual([refused, refused, refused]);
    expect([...console.aws.calls]).toEqual(before);
  });

  test.for(everyAction)('needs the origin of the console: $noun $verb', async (action) => {
    const form = formOf(action, world);
    const visitor = await enter(console);
    const token = tokenOf((await visitor.get(form)).text, form);
    const before = [...console.aws.calls];
    const wrong = [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${console.port + 1}` },
      { origin: '' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    const answers = await Promise.all(wrong.map((headers) => visitor.post(form, `token=${token}`, headers)));
    expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 403));
    expect([...console.aws.calls]).toEqual(before);
  });

  test.for(everyAction)('is refused in a console that only reads: $noun $verb', async (action) => {
    const form = formOf(action, world);
    const visitor = await enter(reading);
    const token = tokenOf((await visitor.get(form)).text, form);
    const answer = await visitor.post(form, `token=${token}`);
    expect(refusalsIn([answer], 'This console only reads')).toEqual([[403, true]]);
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
    for (const path of ['/', '/clients', '/clients/+create', '/clients/+export.csv', '/jobs/1', '/nothing']) {
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
  it.for(['/clients', '/clients/ID', '/clients/ID/revoke', '/clients?name=%3Cb+onclick'])(
    'is harmless on the page %s',
    async (path) => {
      const { client_id } = await seedClient(console.aws.deployment, hostileName);
      const { text } = await (await enter(console)).get(path.replace('ID', client_id));
      expect(text).toContain('&lt;b onclick=alert(1)&gt;Name&lt;/b&gt; &quot;quoted&quot; &amp; ');
      expect(text).not.toContain('<b onclick');
      // A sentence has a mark in place of a character that could act, as on a terminal.
      expect(text).toMatch(/\[U\+202E\]gnp\[U\+3164\]\.exe|\ufffdgnp\ufffd\.exe/);
      expect(text).not.toMatch(/[\u202e\u3164]/);
    },
  );
});
