import { createApp } from '../../../tools/console/app.tsx';
import { everyAction } from '../operator/support/every-action.ts';
import { find, parse } from './support/read-page.ts';
import { hostileName, seedClient } from './support/seed.ts';
import { startConsole, startConsoleWithAws } from './support/serve.ts';
import { enter, send, tokenOf } from './support/visitor.ts';
import { formOf, seedWorld } from './support/world.ts';

const console = await startConsoleWithAws();
const world = await seedWorld(console);
/** Console of the same deployment, started with --read-only. */
const reading = await startConsole(console.aws.deployment, { readOnly: true });

const rejectedBy = (reason: string) => ({ status: 403, text: expect.stringContaining(reason) });

test('everything that changes something is an action', () => {
  const { routes } = createApp({ console: {}, sessions: {}, host: '' } as Parameters<typeof createApp>[0]);
  const changing = routes.filter(({ method }) => method !== 'GET' && method !== 'ALL');
  const paths = everyAction.map(
    ({ noun, verb, hasEntity }) => `/${noun}s/${hasEntity ? `:id/${verb}` : `+${verb}`}`,
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
    const responses = await Promise.all(tokens.map((token) => visitor.post(form, `token=${token}`)));
    const rejected = rejectedBy('The form is too old');
    expect(responses).toMatchObject([rejected, rejected, rejected]);
    expect([...console.aws.calls]).toEqual(before);
  });

  test('needs the origin of the console', async () => {
    const form = '/files/+create';
    const visitor = await enter(console);
    const token = tokenOf((await visitor.get(form)).text, form);
    const before = [...console.aws.calls];
    const wrong = [
      { origin: `http://127.0.0.1:${console.port}` },
      { origin: console.origin.replace(/\d+$/, '1') },
      { origin: '' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    const responses = await Promise.all(
      wrong.map((headers) => visitor.post(form, `token=${token}`, headers)),
    );
    expect(responses.map(({ status }) => status)).toEqual(wrong.map(() => 403));
    expect([...console.aws.calls]).toEqual(before);
  });

  test('is rejected in a console that only reads', async () => {
    const form = '/files/+create';
    const visitor = await enter(reading);
    const token = tokenOf((await visitor.get(form)).text, form);
    expect(await visitor.post(form, `token=${token}`)).toMatchObject(rejectedBy('This console is read-only'));
  });
});

describe('the one-time link', () => {
  test('opens the console once, with a cookie that no script gets', async () => {
    const link = console.newLink();
    const first = await send(link);
    expect(first.status).toBe(303);
    expect(first.headers['set-cookie']).toMatch(
      /^file-sync-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const second = await send(link);
    expect(second.status).toBe(403);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.text).toContain('Ask for a new one.');
  });

  test('works for 30 minutes', async () => {
    const inTime = console.newLink();
    console.ahead += 29 * 60_000;
    expect((await send(inTime)).status).toBe(303);
    const late = console.newLink();
    console.ahead += 30 * 60_000;
    expect((await send(late)).status).toBe(403);
  });

  test('is not used up by a HEAD request of a link preview', async () => {
    const link = console.newLink();
    const head = await send(link, { method: 'HEAD' });
    expect([head.status, head.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await send(link)).status).toBe(303);
  });
});

describe('a session', () => {
  test.for(['/', '/clients', '/clients/+create', '/nothing'])('is needed for %s', async (path) => {
    const response = await send(`${console.origin}${path}`);
    expect([response.status, response.text.includes('No session')]).toEqual([401, true]);
  });

  test('ends after 30 minutes without use, and live parts do not count as use', async () => {
    const visitor = await enter(console);
    const live = { 'x-console-live': '1' };
    console.ahead += 29 * 60_000;
    expect((await visitor.get('/clients')).status).toBe(200);
    console.ahead += 29 * 60_000;
    expect((await visitor.get('/clients', live)).status).toBe(200);
    console.ahead += 60_000;
    const late = await visitor.get('/clients', live);
    // The `hx-refresh` header reloads the page, which then shows the reason.
    expect([late.status, late.headers['hx-refresh']]).toEqual([401, 'true']);
    expect((await visitor.get('/clients')).status).toBe(401);
  });
});

describe('a request', () => {
  test.for([
    ['NAME:PORT', 200],
    ['NAME', 421],
    ['localhost:PORT', 421],
    ['other.localhost:PORT', 421],
    ['NAME.evil.example:PORT', 421],
  ] as const)('to the host %s gets %i', async ([name, status]) => {
    const { cookie } = await enter(console);
    const ours = new URL(console.origin).hostname;
    const host = name.replace('NAME', ours.toUpperCase()).replace('PORT', String(console.port));
    const response = await send(`${console.origin}/clients`, { headers: { host, cookie } });
    expect([response.status, response.text.includes(ours)]).toEqual([status, false]);
  });

  test('to another host gets the style of its error page', async () => {
    const headers = { host: `localhost:${console.port}` };
    const { status, headers: got } = await send(`${console.origin}/assets/console.css`, { headers });
    expect([status, got['content-type']]).toEqual([200, expect.stringContaining('text/css')]);
  });

  // All addresses in 127.0.0.0/8 belong to this machine; the console listens on only one of them.
  test('to another address of this machine is not accepted', async () => {
    await expect(send(`http://127.0.0.2:${console.port}/`)).rejects.toThrow('ECONNREFUSED');
  });

  test.for(['/clients', '/clients/none', '/nothing'])(
    'for %s allows nothing from elsewhere',
    async (path) => {
      const { headers } = await (await enter(console)).get(path);
      expect(headers).toMatchObject({
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
    },
  );
});

describe('a hostile name', () => {
  test.for(['/clients', '/clients/ID', '/clients/ID/revoke', '/clients?name=%3Cb+onclick'])(
    'is harmless on the page %s',
    async (path) => {
      const { client_id } = await seedClient(console.aws.deployment, hostileName);
      const { text } = await (await enter(console)).get(path.replace('ID', client_id));
      const page = parse(text);
      expect(page.body.textContent).toContain('<b onclick=alert(1)>Name</b> "quoted" & ');
      expect(find(page, 'css=[onclick], main b')).toEqual([]);
      // A mark replaces each unsafe character in a sentence, as on a terminal.
      expect(text).toMatch(/\[U\+202E\]gnp\[U\+3164\]\.exe|\ufffdgnp\ufffd\.exe/);
      expect(text).not.toMatch(/[\u202e\u3164]/);
    },
  );
});
