import { connect, type Socket } from 'node:net';

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
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** Longest wait for an answer, in milliseconds. The functions answer within 8.5 s whatever happens. */
const patience = 15_000;

/** One connection at a time, kept alive while the server keeps it. */
export interface RawClient {
  /** @throws {Error} when no whole answer comes in time, or the server closes without one */
  readonly send: (request: RawRequest) => Promise<RawAnswer>;
  readonly close: () => void;
}

/** Speaks to the server at `origin`, e.g. `http://127.0.0.1:3000`. */
export function createRawClient(origin: string): RawClient {
  const { port, hostname, host } = new URL(origin);
  let kept: Socket | undefined;
  return {
    send: async (request) => {
      const socket = kept ?? connect(Number(port), hostname);
      kept = undefined;
      const answer = await exchangeOn(socket, encodeRequest(request, host), request.method === 'HEAD');
      if (answer.headers.get('connection')?.toLowerCase() === 'close') {
        socket.destroy();
      } else {
        kept = socket;
      }
      kept?.once('close', () => {
        if (kept === socket) {
          kept = undefined;
        }
      });
      return answer;
    },
    close: () => kept?.destroy(),
  };
}

function exchangeOn(socket: Socket, message: Buffer, withoutBody: boolean): Promise<RawAnswer> {
  let received = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      socket.removeAllListeners();
      // What comes late must not end the process.
      socket.on('error', () => undefined);
      act();
    };
    const timer = setTimeout(
      () =>
        settle(() => {
          socket.destroy();
          reject(new Error(`No whole answer within ${patience} ms`));
        }),
      patience,
    );
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = parseAnswer(received, withoutBody);
      if (answer !== undefined) {
        settle(() => resolve(answer));
      }
    });
    // The server may close while the rest is still being sent; its answer counts.
    socket.on('error', () => undefined);
    socket.on('close', () => settle(() => reject(new Error('The server closed without a whole answer'))));
    socket.write(message);
  });
}

/** The first final answer in the bytes, if it is whole. */
function parseAnswer(bytes: Buffer, withoutBody: boolean): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) {
    return undefined;
  }
  const head = bytes.toString('latin1', 0, end);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0);
  const rest = bytes.subarray(end + 4);
  if (status >= 100 && status < 200) {
    return parseAnswer(rest, withoutBody);
  }
  const headers = new Map(lines.map(splitHeader));
  const length = withoutBody || status === 304 ? 0 : Number(headers.get('content-length') ?? 0);
  if (rest.length < length) {
    return undefined;
  }
  return { status, head, headers, body: Buffer.from(rest.subarray(0, length)) };
}

function splitHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
