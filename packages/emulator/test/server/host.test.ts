import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Ports, takePorts } from '../../ports.ts';
import { createHostCheck, hostNamePattern } from '../../server/host.ts';

const requestFor = (host: string | undefined, url = '/') => ({ headers: { host }, url }) as IncomingMessage;

describe('the names of a server of this machine', () => {
  const isOurs = createHostCheck(['Build.Example', '[fd00::1]']);

  const isAnswered = (host: string) => isOurs(requestFor(host));
  const isAnsweredInTarget = (host: string) =>
    isOurs(requestFor('localhost', `http://${host}/things?x=http://other.example/`));

  test('are those of loopback and those that were allowed, on any port', () => {
    const ours = [
      '127.0.0.1',
      '127.0.0.1:3000',
      'localhost',
      'LOCALHOST:4566',
      'localhost.:4566',
      '[::1]:3000',
      'bucket.s3.localhost:4566',
      'build.example',
      'BUILD.EXAMPLE:80',
      '[fd00::1]:3000',
    ];
    expect(ours.filter((host) => !isAnswered(host) || !isAnsweredInTarget(host))).toEqual([]);
  });

  test('are no others, however they look', () => {
    const others = [
      'evil.example',
      'evil.example:3000',
      'localhost.evil.example',
      '127.0.0.1.evil.example:3000',
      'evil-localhost',
      'evillocalhost:80',
      '.localhost',
      'evil.example#.localhost',
      'evil.example/.localhost',
      'user@localhost',
      'localhost@evil.example',
      '127.0.0.1:3000:80',
      '127.0.0.1, evil.example',
      'localhost ',
      '0.0.0.0:3000',
      '192.168.1.2:3000',
      '[::]:3000',
      '[::1].evil.example',
      'sub.build.example',
      '',
    ];
    expect(others.filter((host) => isAnswered(host) || isAnsweredInTarget(host))).toEqual([]);
  });

  test('are needed: a request without Host names no server', () => {
    expect(isOurs(requestFor(undefined))).toBe(false);
  });
});

test('a name that is allowed is a host without a port', () => {
  const good = ['host.docker.internal', 'a', '10.0.0.7', '[fd00::1]', 'my_app-1.test'];
  const bad = ['', '*', '*.test', 'a:80', 'http://a', 'a/b', '-a', 'a b', '.a', '::1'];
  expect(good.filter((name) => !hostNamePattern.test(name))).toEqual([]);
  expect(bad.filter((name) => hostNamePattern.test(name))).toEqual([]);
});

describe('each port', () => {
  let ports: Ports;
  beforeAll(async () => {
    ports = await takePorts({ api: 0, aws: 0 }, ['build.example']);
  });
  afterAll(() => ports.close());

  const endpoints = [
    ['of the API', () => ports.gateway.baseUrl],
    ['of the AWS endpoints', () => ports.aws.endpoint],
  ] as const;

  describe.each(endpoints)('%s', (_, address) => {
    const send = (method: string, headers: Record<string, string>) =>
      new Promise<{ status: number | undefined; head: string; body: string }>((resolve, reject) => {
        const sent = request(`${address()}/v0/volumes`, { method, headers }, async (answer) => {
          const body = Buffer.concat(await answer.toArray()).toString();
          resolve({ status: answer.statusCode, head: answer.rawHeaders.join().toLowerCase(), body });
        });
        sent.once('error', reject);
        sent.end();
      });

    it.each(['evil.example', 'evil.example:3000'])('refuses Host %j with 421 and says why', async (host) => {
      const answer = await send('GET', { host });
      expect(answer.status).toBe(421);
      expect(answer.body).toMatch(/answers to 127\.0\.0\.1.*allow the name/);
      expect(answer.head + answer.body).not.toContain('evil');
    });

    it('answers under a loopback name, on any port, and under a name that was allowed', async () => {
      for (const host of ['localhost:1', '[::1]', 'build.example:8080']) {
        expect((await send('GET', { host })).status).toBe(503);
      }
    });

    it('gives a page of another site no leave to read answers (CORS)', async () => {
      const origin = 'http://evil.example';
      const preflight = await send('OPTIONS', { origin, 'access-control-request-method': 'PUT' });
      const answer = await send('GET', { origin });
      expect(preflight.head + answer.head).not.toContain('access-control');
    });
  });
});
