import type { IncomingMessage } from 'node:http';
import { takePorts } from '../../ports.ts';
import { createHostCheck, hostNamePattern } from '../../server/host.ts';
import { atEnd } from '../support/at-end.ts';
import { exchange } from '../support/exchange.ts';

const requestFor = (host: string | undefined, url = '/') => ({ headers: { host }, url }) as IncomingMessage;

describe('the accepted names of a server', () => {
  const hasAllowedHost = createHostCheck(['Build.Example', '[fd00::1]']);

  const responses = (host: string) => [
    hasAllowedHost(requestFor(host)),
    hasAllowedHost(requestFor('localhost', `http://${host}/things?x=http://other.example/`)),
  ];

  test.for([
    '127.0.0.1',
    'localhost',
    'localhost.:4566',
    '[::1]:3000',
    'bucket.s3.localhost:4566',
    'build.example',
    'BUILD.EXAMPLE:80',
  ])('include loopback names and allowed names: %s', (host) => {
    expect(responses(host)).toEqual([true, true]);
  });

  test.for([
    'evil.example',
    'localhost.evil.example',
    'evil-localhost',
    'evil.example#.localhost',
    'evil.example/.localhost',
    'localhost@evil.example',
    '127.0.0.1:3000:80',
    'localhost ',
    '[::]:3000',
    '[::1].evil.example',
    'sub.build.example',
    '',
  ])('exclude other names: %j', (host) => {
    expect(responses(host)).toEqual([false, false]);
  });
});

test.for(['host.docker.internal', 'a', '10.0.0.7', '[fd00::1]', 'my_app-1.test'])(
  'the name %s can be allowed',
  (name) => {
    expect(name).toMatch(hostNamePattern);
  },
);

test.for(['', '*', '*.test', 'a:80', 'http://a', 'a/b', '-a', 'a b', '.a', '::1'])(
  'the name %j cannot be allowed',
  (name) => {
    expect(name).not.toMatch(hostNamePattern);
  },
);

const ports = await takePorts({ api: 0, aws: 0 }, ['build.example']);
atEnd(ports.close);

describe('each port', () => {
  const endpoints = [
    ['of the API', () => ports.gateway.baseUrl, '"Service Unavailable"'],
    ['of the AWS endpoints', () => ports.aws.endpoint, 'The emulator is still starting.'],
  ] as const;

  it.each(endpoints)(
    '%s rejects another Host with 421, and lets no other site read',
    async (_, address, early) => {
      const send = (...lines: readonly string[]) =>
        exchange(address(), [['GET / HTTP/1.1', 'connection: close', ...lines, '', ''].join('\r\n')]);
      const rejected = await send('host: evil.example:3000');
      expect(rejected).toContain('HTTP/1.1 421 ');
      expect(rejected).toContain(
        'This server accepts only the hosts 127.0.0.1, [::1], localhost and *.localhost, so that no web page can reach it under its own name. Use one of these in the URL, or allow the name when the server is started.',
      );
      expect(rejected).not.toContain('evil');
      const responded = await send('host: build.example:8080', 'origin: http://evil.example');
      expect(responded).toContain('HTTP/1.1 503 ');
      expect(responded).toContain(early);
      expect(responded).not.toContain('access-control');
    },
  );
});
