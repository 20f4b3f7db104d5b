import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { element } from 'cloud-assembly-emulator/test/presigned';

/** What came back, without what differs from one request to the next. */
export interface Came {
  readonly status: number;
  readonly code?: string;
  readonly message?: string;
}

/** Sends a whole request and reads its answer. */
export async function send(url: string, init: RequestInit = {}): Promise<Came> {
  const answer = await fetch(url, { method: 'PUT', body: 'content', ...init });
  return came(answer.status, await answer.text());
}

/**
 * Sends a request that no client library would, as it stands: a head of these lines, and then what there is of a body.
 *
 * @param cutShort ends the connection behind the body; otherwise the answer is waited for
 */
export function sendRaw(url: string, lines: readonly string[], body = '', cutShort = false): Promise<Came> {
  const { pathname, search, host } = new URL(url);
  const head = [`PUT ${pathname}${search} HTTP/1.1`, `Host: ${host}`, ...lines, '', ''].join('\r\n');
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(new URL(url), () => {
      if (cutShort) {
        socket.end(head + body);
      } else {
        socket.write(head + body);
      }
    });
    socket.on('data', (data) => {
      received += data.toString('latin1');
      // The answer before the body, to a client that asked first.
      if (/^HTTP\/1\.1 100 /.test(received) || received.includes('</Error>')) {
        socket.destroy();
      }
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(came(Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0), received)));
  });
}

function connect({ protocol, hostname, port }: URL, onConnect: () => void): Socket {
  return protocol === 'https:'
    ? connectTls({ host: hostname, port: Number(port || 443), servername: hostname }, onConnect)
    : connectTcp(Number(port || 80), hostname, onConnect);
}

function came(status: number, text: string): Came {
  const [code, message] = [element(text, 'Code'), element(text, 'Message')];
  return {
    status,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message: message.replaceAll('&quot;', '"') }),
  };
}

/** The URL with one query parameter changed, or taken out; everything else stays byte by byte. */
export function changed(url: string, name: string, value?: string): string {
  const [address, query = ''] = url.split('?');
  const rest = query.split('&').filter((pair) => !pair.startsWith(`${name}=`));
  return `${address}?${[...rest, ...(value === undefined ? [] : [`${name}=${value}`])].join('&')}`;
}
