import { once } from 'node:events';
import { connect } from 'node:net';
import { type AwsRuns, prepareRuns } from 'cloud-assembly-emulator/test/aws-services';
import { echo, startGateway, type TestGateway } from 'cloud-assembly-emulator/test/gateway';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/**
 * Request smuggling (RFC 9112 section 11.2): messages of which two servers could disagree about where they end. Each
 * carries a second request that only one of the readings sees; it must never be served, and the connection must end,
 * since its next byte could be anything.
 */

let gateway: TestGateway;
let runs: AwsRuns;
let storage: string;
const servedTargets: string[] = [];

beforeAll(async () => {
  gateway = await startGateway({
    invoke: (event) => {
      servedTargets.push((event as { readonly rawPath: string }).rawPath);
      return echo(event);
    },
  });
  runs = await prepareRuns([]);
  storage = (await runs.start()).endpoint;
});

afterAll(async () => {
  await gateway.close();
  await runs.end();
});

/** The second request: the address tells it from the first. */
const smuggled = 'GET /things/smuggled HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';
const chunked = `0\r\n\r\n${smuggled}`;
const size = smuggled.length.toString(16);

/** Messages that must be refused as a whole: header lines, and what follows them. */
const refused: readonly (readonly [string, string, string])[] = [
  ['a length and chunks', `content-length: ${chunked.length}\r\ntransfer-encoding: chunked`, chunked],
  ['chunks and a length', `transfer-encoding: chunked\r\ncontent-length: ${chunked.length}`, chunked],
  ['chunks and a length of 0', 'transfer-encoding: chunked\r\ncontent-length: 0', chunked],
  ['two lengths', `content-length: 0\r\ncontent-length: ${smuggled.length}`, smuggled],
  ['two equal lengths', 'content-length: 0\r\ncontent-length: 0', smuggled],
  ['a list of lengths', `content-length: 0, ${smuggled.length}`, smuggled],
  ['a length with a sign', `content-length: +${smuggled.length}`, smuggled],
  ['a negative length', 'content-length: -1', smuggled],
  ['a length in hexadecimal', `content-length: 0x${size}`, smuggled],
  ['a length with an inner space', 'content-length: 0 0', smuggled],
  ['a length beyond 2^64', 'content-length: 18446744073709551616', smuggled],
  ['a length without a value', 'content-length:', smuggled],
  ['a space before the colon of the length', `content-length : ${smuggled.length}`, smuggled],
  ['a space before the colon of the coding', 'transfer-encoding : chunked', chunked],
  ['a folded line', `x: a\r\n transfer-encoding: chunked`, chunked],
  ['a folded line with a tab', 'transfer-encoding:\r\n\tchunked', chunked],
  ['another coding', 'transfer-encoding: identity', chunked],
  ['a coding that resembles chunked', 'transfer-encoding: xchunked', chunked],
  ['a coding in quotes', 'transfer-encoding: "chunked"', chunked],
  ['chunked that is not last', 'transfer-encoding: chunked, identity', chunked],
  ['chunked twice', 'transfer-encoding: chunked, chunked', chunked],
  ['two lines of codings', 'transfer-encoding: chunked\r\ntransfer-encoding: identity', chunked],
  ['gzip before chunked', 'transfer-encoding: gzip, chunked', chunked],
  ['a coding without a value', `transfer-encoding:\r\ncontent-length: 0`, smuggled],
  ['a coding of blanks', `transfer-encoding: \t\r\ncontent-length: ${chunked.length}`, chunked],
  ['a vertical tab after chunked', 'transfer-encoding: chunked\u000b', chunked],
  ['a NUL in a header', 'x: a\u0000b', smuggled],
  ['a bare CR in a header', 'x: a\rtransfer-encoding: chunked', chunked],
  ['a bare LF that ends a header', 'x: a\ntransfer-encoding: chunked', chunked],
  ['a header without a colon', 'x', smuggled],
  ['a header without a name', ': x', smuggled],
  ['two hosts', 'host: y', smuggled],
  ['a chunk size with a sign', 'transfer-encoding: chunked', `+0\r\n\r\n${smuggled}`],
  ['a chunk size in 0x form', 'transfer-encoding: chunked', `0x0\r\n\r\n${smuggled}`],
  ['a chunk size with a space before it', 'transfer-encoding: chunked', ` 0\r\n\r\n${smuggled}`],
  ['a chunk size beyond 2^64', 'transfer-encoding: chunked', `10000000000000000\r\n\r\n${smuggled}`],
  ['no chunk size', 'transfer-encoding: chunked', `\r\n\r\n${smuggled}`],
  ['a chunk that is longer than it says', 'transfer-encoding: chunked', `1\r\nab\r\n0\r\n\r\n${smuggled}`],
  ['a chunk ended by a bare LF', 'transfer-encoding: chunked', `1\na\n0\n\n${smuggled}`],
  ['a bare LF in a chunk extension', 'transfer-encoding: chunked', `0;a\n${size}\r\n\r\n${smuggled}`],
  ['a bare CR in a chunk extension', 'transfer-encoding: chunked', `0;a\rb\r\n\r\n${smuggled}`],
  [
    'an endless chunk extension',
    'transfer-encoding: chunked',
    `1;${'a'.repeat(40_000)}\r\na\r\n0\r\n\r\n${smuggled}`,
  ],
];

describe.each([
  ['the HTTP API', () => gateway.url],
  ['the storage', () => storage],
])('%s', (_, origin) => {
  test.each(refused)('refuses %s, and serves nothing after it', async (_name, headers, body) => {
    const before = servedTargets.length;
    const received = await exchange(
      origin(),
      `POST /things HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n\r\n${body}`,
    );
    // A connection that is cut without an answer is a refusal too.
    expect(statusesOf(received).length).toBeLessThanOrEqual(1);
    expect(received).toMatch(/^(?:HTTP\/1\.1 4\d\d |$)/);
    expect(servedTargets.slice(before)).not.toContain('/things/smuggled');
  });
});

describe('the HTTP API takes what is not ambiguous', () => {
  test.each([
    ['a length', `content-length: ${smuggled.length}`, smuggled],
    ['chunks', 'transfer-encoding: chunked', `${size}\r\n${smuggled}\r\n0\r\n\r\n`],
    ['chunks with an extension', 'transfer-encoding: chunked', `${size};a="b"\r\n${smuggled}\r\n0\r\n\r\n`],
    ['CHUNKED', 'transfer-encoding: CHUNKED', `${size}\r\n${smuggled}\r\n0\r\n\r\n`],
    ['a trailer', 'transfer-encoding: chunked', `${size}\r\n${smuggled}\r\n0\r\nx: y\r\n\r\n`],
  ])('%s: the second request is the body of the first', async (_name, headers, body) => {
    const before = servedTargets.length;
    const head = `POST /things HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${headers}\r\n\r\n`;
    const received = await exchange(gateway.url, head + body);
    expect(statusesOf(received)).toEqual(['200']);
    expect(servedTargets.slice(before)).toEqual(['/things']);
    expect(received).toContain(Buffer.from(smuggled).toString('base64'));
  });
});

/** Sends bytes and resolves with everything that came back until the server closed. */
async function exchange(origin: string, message: string): Promise<string> {
  const { port, hostname } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(Buffer.from(message, 'latin1'));
  await closed;
  return received;
}

function statusesOf(received: string): string[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1] ?? '');
}
