import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getClient } from '../../cli/operations/clients.ts';
import { hostileName, seedClient } from './support/seed.ts';
import { type ConsoleWithAws, startConsole, startConsoleWithAws } from './support/serve.ts';
import { enter, send, tokenOf } from './support/visitor.ts';

let console: ConsoleWithAws;

beforeAll(async () => {
  console = await startConsoleWithAws();
});
afterAll(() => console.stop());

describe('the one-time link', () => {
  it('opens the console once, and sets a cookie that no script and no other site gets', async () => {
    const link = console.newLink();
    const first = await send(link);
    expect(first.status).toBe(303);
    expect(first.headers['set-cookie']).toMatch(
      /^file-sync-console-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const second = await send(link);
    expect(second.status).toBe(403);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.text).toContain('This link was used before');
    expect(second.text).toContain('Ask for a new one.');
  });

  it('stops working when a new one is made', async () => {
    const old = console.newLink();
    console.newLink();
    expect((await send(old)).status).toBe(403);
  });
});

describe('the console', () => {
  it('is not there for other addresses of this machine', async () => {
    // Each address of 127.0.0.0/8 is this machine's own; the console has one of them.
    await expect(send(`http://127.0.0.2:${console.port}/`)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('a new secret', () => {
  it('is on one page once, and in no address, header or later page', async () => {
    const visitor = await enter(console);
    const made = await visitor.submit('/clients/new', '/clients/new', {
      organisation: 'acme',
      name: 'With a secret',
      scope: 'volume:read',
    });
    const { location = '' } = made.headers;
    const shown = await visitor.get(location);
    const [secret = 'none'] = /fss_[\w-]+/.exec(shown.text) ?? [];
    expect(secret).toMatch(/^fss_[\w-]{43}/);
    expect(JSON.stringify([made, shown.headers])).not.toContain(secret);
    const again = await visitor.get(location);
    const client = await visitor.get(location.split('/secrets')[0] ?? '');
    for (const { status, text } of [again, client, await visitor.get('/clients')]) {
      expect(status).toBe(200);
      expect(text).not.toContain(secret);
    }
  });
});

describe('what is stored', () => {
  it('is shown harmlessly, on its page, in lists and in titles', async () => {
    const { client_id } = await seedClient(console.aws.deployment, hostileName);
    const visitor = await enter(console);
    for (const path of ['/clients', `/clients/${client_id}`, `/clients/${client_id}/revoke`]) {
      const { text } = await visitor.get(path);
      expect(text, path).toContain('&lt;b onclick=alert(1)&gt;Name&lt;/b&gt; &quot;quoted&quot; &amp; ');
      expect(text, path).not.toContain('<b onclick');
      expect(text, path).toContain('U+202E');
      expect(text, path).not.toContain('\u202e');
    }
  });
});

describe('a session', () => {
  it('is needed for every page', async () => {
    for (const path of ['/', '/clients', '/clients/new', '/clients/export.csv', '/nothing']) {
      const answer = await send(`${console.origin}${path}`);
      expect(answer.status, path).toBe(401);
      expect(answer.text).toContain('No session');
    }
  });

  it('ends after 30 minutes without use, and live parts do not count as use', async () => {
    const visitor = await enter(console);
    console.ahead += 29 * 60_000;
    expect((await visitor.get('/clients')).status).toBe(200);
    console.ahead += 29 * 60_000;
    expect((await visitor.get('/clients', { 'x-console-live': '1' })).status).toBe(200);
    console.ahead += 60_000;
    const late = await visitor.get('/clients', { 'x-console-live': '1' });
    expect(late.status).toBe(401);
    // The page is loaded again, and says what happened.
    expect(late.headers['hx-refresh']).toBe('true');
    expect((await visitor.get('/clients')).status).toBe(401);
  });

  it('is found again when a link on another site leads to a page', async () => {
    const followed = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    const answer = await send(`${console.origin}/clients?q=%22%3E`, { headers: followed });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('<meta http-equiv="refresh" content="0;url=/clients?q=%22%3E"/>');
  });
});

describe('a request', () => {
  it.each(['evil.example', 'localhost', '127.0.0.1', '127.0.0.1:1', 'localhost.evil.example', '[::2]:PORT'])(
    'for the host %s is refused',
    async (host) => {
      const { cookie } = await enter(console);
      const headers = { host: host.replace('PORT', String(console.port)), cookie };
      const answer = await send(`${console.origin}/clients`, { headers });
      expect(answer.status).toBe(421);
    },
  );

  it.each(['localhost:PORT', '[::1]:PORT', 'LOCALHOST:PORT'])('for the host %s is answered', async (host) => {
    const { cookie } = await enter(console);
    const headers = { host: host.replace('PORT', String(console.port)), cookie };
    expect((await send(`${console.origin}/clients`, { headers })).status).toBe(200);
  });

  it.each(['cross-site', 'same-site'])('of a %s page for data is refused', async (site) => {
    const visitor = await enter(console);
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
    expect((await visitor.get('/clients', headers)).status).toBe(403);
    const framed = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    expect((await visitor.get('/clients', framed)).status).toBe(403);
  });

  it('is answered with headers that allow nothing from elsewhere, and keep nothing', async () => {
    const visitor = await enter(console);
    for (const path of ['/clients', '/clients/none', '/nothing']) {
      const { headers } = await visitor.get(path);
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
          "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('same-origin');
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    }
  });
});

describe('a change', () => {
  it('needs the origin of the console', async () => {
    const { client_id } = await seedClient(console.aws.deployment);
    const visitor = await enter(console);
    const action = `/clients/${client_id}/revoke`;
    const token = tokenOf((await visitor.get(action)).text, action);
    const origins = ['http://evil.example', 'null', `http://127.0.0.1:${console.port + 1}`, ''];
    for (const origin of origins) {
      expect((await visitor.post(action, `token=${token}`, { origin })).status, origin).toBe(403);
    }
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site };
      expect((await visitor.post(action, `token=${token}`, headers)).status, site).toBe(403);
    }
    expect((await getClient(console.aws.deployment, client_id)).status).toBe('active');
    expect((await visitor.post(action, `token=${token}`)).status).toBe(303);
    expect((await getClient(console.aws.deployment, client_id)).status).toBe('revoked');
  });

  it('needs the token of its own form, of its own session', async () => {
    const { client_id } = await seedClient(console.aws.deployment);
    const [visitor, other] = [await enter(console), await enter(console)];
    const action = `/clients/${client_id}/revoke`;
    const ofOther = tokenOf((await other.get(action)).text, action);
    const ofAnotherForm = tokenOf((await visitor.get('/clients/new')).text, '/clients/new');
    for (const token of ['', ofOther, ofAnotherForm]) {
      const answer = await visitor.post(action, `token=${token}`);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('The form is too old');
    }
    expect((await getClient(console.aws.deployment, client_id)).status).toBe('active');
  });

  it('is refused in a console that only reads, whatever its form says', async () => {
    const { client_id } = await seedClient(console.aws.deployment);
    const reading = await startConsole(console.aws.deployment, { readOnly: true });
    try {
      const visitor = await enter(reading);
      const action = `/clients/${client_id}/revoke`;
      const answer = await visitor.submit(action, action);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('This console only reads');
      expect((await getClient(console.aws.deployment, client_id)).status).toBe('active');
    } finally {
      await reading.stop();
    }
  });

  it('is a form of usual length', async () => {
    const visitor = await enter(console);
    expect((await visitor.post('/clients/new', '{}', { 'content-type': 'application/json' })).status).toBe(
      400,
    );
    expect((await visitor.post('/clients/new', `name=${'x'.repeat(70_000)}`)).status).toBe(400);
  });
});
