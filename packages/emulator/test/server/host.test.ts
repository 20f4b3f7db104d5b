import type { IncomingMessage } from 'node:http';
import { describe, expect, it, test } from 'vitest';
import { takePorts } from '../../ports.ts';
import { createHostCheck, hostNamePattern } from '../../server/host.ts';
import { atEnd } from '../support/at-end.ts';
import { exchange } from '../support/exchange.ts';

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
      'localhost.evil.example',
      'evil-localhost',
      '.localhost',
      'evil.example#.localhost',
      'evil.example/.localhost',
      'localhost@evil.example',
      '127.0.0.1:3000:80',
      '127.0.0.1, evil.example',
      'localhost ',
      '0.0.0.0:3000',
      '[::]:3000',
      '[::1].evil.example',
      'sub.build.example',
      '',
    ];
    expect(others.filter((host) => isAnswered(host) || isAnsweredInTarget(host))).toEqual([]);
  });
});

test('a name that is allowed is a host without a port', () => {
  const good = ['host.docker.internal', 'a', '10.0.0.7', '[fd00::1]', 'my_app-1.test'];
  const bad = ['', '*', '*.test', 'a:80', 'http://a', 'a/b', '-a', 'a b', '.a', '::1'];
  expect(good.filter((name) => !hostNamePattern.test(name))).toEqual([]);
  expect(bad.filter((name) => hostNamePattern.test(name))).toEqual([]);
});

const ports = await takePorts({ api: 0, aws: 0 }, ['build.example']);
atEnd(ports.close);

describe('each port', () => {
  const endpoints = [
    ['of the API', () => ports.gateway.baseUrl],
    ['of the AWS endpoints', () => ports.aws.endpoint],
  ] as const;

  it.each(endpoints)(
    '%s refuses another Host with 421, says why, and lets no other site read (CORS)',
    async (_, address) => {
      const send = (...lines: readonly string[]) =>
        exchange(address(), [['GET / HTTP/1.1', 'connection: close', ...lines, '', ''].join('\r\n')]);
      const refused = await send('host: evil.example:3000');
      expect(refused).toMatch(/^HTTP\/1\.1 421 [\s\S]*answers to 127\.0\.0\.1.*allow the name/);
      expect(refused).not.toContain('evil');
      const answered = await send('host: build.example:8080', 'origin: http://evil.example');
      expect(answered).toMatch(/^HTTP\/1\.1 503 /);
      expect(answered).not.toMatch(/access-control/i);
    },
  );
});
