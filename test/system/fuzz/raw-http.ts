import { exchange } from 'cloud-assembly-emulator/test/exchange';

/**
 * A request as bytes: the sender does not encode or check it, so an attacker's malformed request is sent
 * unchanged.
 */
export interface RawRequest {
  readonly method: string;
  /** Request target, one byte for each character. */
  readonly target: string;
  /** Host and Content-Length are added. One byte for each character of a value. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: Buffer;
}

export interface RawResponse {
  readonly status: number;
  /** Status line and headers as received. */
  readonly head: string;
  readonly body: string;
}

/** Returns the bytes of a request. */
function encodeRequest(
  { method, target, headers = [], body = Buffer.alloc(0) }: RawRequest,
  host: string,
): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    'connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/**
 * Sends a request to the server at `origin`, e.g. `http://127.0.0.1:3000`, on a new connection.
 *
 * @throws {Error} if the server closes the connection before the end of the response
 */
export async function sendRaw(origin: string, request: RawRequest): Promise<RawResponse> {
  return parseResponse(await exchange(origin, [encodeRequest(request, new URL(origin).host)]));
}

/** Parses a response. Each character is one byte. */
function parseResponse(bytes: string): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) {
    throw new Error('There came no whole response');
  }
  const head = bytes.slice(0, end);
  const body = bytes.slice(end + 4);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  return { status, head, body: Buffer.from(body, 'latin1').toString() };
}
