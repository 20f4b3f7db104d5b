import type { IncomingMessage } from 'node:http';

/** What a client expects of the server before it sends the body: nothing, a go-ahead, or something unknown. */
export type Expectation = 'none' | 'continue' | 'unknown';

/** RFC 9110 section 10.1.1: 100-continue is the only expectation, and HTTP/1.0 has none. */
export function expectationOf({ headers, httpVersion }: IncomingMessage): Expectation {
  const { expect = '' } = headers;
  if (expect.trim() === '' || httpVersion === '1.0') {
    return 'none';
  }
  return expect.toLowerCase() === '100-continue' ? 'continue' : 'unknown';
}

/**
 * What a request is on its connection:
 *
 * - `proper`: a request like any other;
 * - `ambiguous`: two servers could understand it differently;
 * - `behind ambiguous`: it came after an ambiguous request. Another server might take it for the body of that request.
 */
export type Framing = 'proper' | 'ambiguous' | 'behind ambiguous';

export interface FramingJudge {
  readonly judge: (request: IncomingMessage) => Framing;
  /** Whether an ambiguous request came on the connection. Nothing more is answered on it. */
  readonly isCondemned: (connection: object) => boolean;
}

/** Judges the requests of one server (RFC 9112 sections 3.2, 6.1 and 11.2). */
export function createFramingJudge(): FramingJudge {
  const condemned = new WeakSet<object>();
  return {
    isCondemned: (connection) => condemned.has(connection),
    judge: (request) => {
      if (condemned.has(request.socket)) {
        return 'behind ambiguous';
      }
      if (!isAmbiguous(request)) {
        return 'proper';
      }
      condemned.add(request.socket);
      return 'ambiguous';
    },
  };
}

/**
 * Node's parser refuses most ambiguous requests by itself. It accepts a Transfer-Encoding without a value, one with
 * more codings than chunked, and several Hosts.
 */
function isAmbiguous({ headersDistinct }: IncomingMessage): boolean {
  const { host = [], 'transfer-encoding': codings, 'content-length': lengths } = headersDistinct;
  if (host.length > 1) {
    return true;
  }
  if (codings === undefined) {
    return false;
  }
  return lengths !== undefined || codings.join().trim().toLowerCase() !== 'chunked';
}
