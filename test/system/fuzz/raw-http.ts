import { connect } from 'node:net';

/** A request as bytes: nothing is encoded or checked on the way, so that it can be as wrong as an attacker likes. */
export interface RawRequest {
  readonly method: string;
  /** Request target, one byte for each character. */
  readonly target: string;
  /** Host and Content-Length are added unless they are here. One byte for each character of a value. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: Buffer;
}

export interface RawAnswer {
  readonly status: number;
  /** Status line and headers as they came. */
  readonly head: string;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** The bytes of a request. */
function encodeRequest(
  { method, target, headers = [], body = Buffer.alloc(0) }: RawRequest,
  host: string,
): Buffer {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(names.has('host') ? [] : [`host: ${host}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(names.has('content-length') ? [] : [`content-length: ${body.length}`]),
    'connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** Longest wait for an answer, in milliseconds. The functions answer within 8.5 s whatever happens. */
const patience = 15_000;

/**
 * Speaks to the server at `origin`, e.g. `http://127.0.0.1:3000`, on a connection for each request.
 *
 * @throws {Error} when no whole answer comes in time, or the server closes without one
 */
export async function sendRaw(origin: string, request: RawRequest): Promise<RawAnswer> {
  const { port, hostname, host } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const timer = setTimeout(() => socket.destroy(), patience);
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  // The server may close while the rest is still being sent; its answer counts.
  socket.on('error', () => undefined);
  socket.write(encodeRequest(request, host));
  await new Promise((resolve) => socket.once('close', resolve));
  clearTimeout(timer);
  return parseAnswer(Buffer.concat(received));
}

/** The first final answer in the bytes. */
function parseAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) {
    throw new Error('There came no whole answer');
  }
  const head = bytes.toString('latin1', 0, end);
  const body = bytes.subarray(end + 4);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0);
  return status >= 100 && status < 200
    ? parseAnswer(body)
    : { status, head, headers: new Map(lines.map(splitHeader)), body };
}

function splitHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
