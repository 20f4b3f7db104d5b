import type { IncomingMessage } from 'node:http';

/** What a client expects of the server before it sends the body: nothing, a go-ahead, or what no server knows. */
export type Expectation = 'none' | 'continue' | 'unknown';

/** RFC 9110 section 10.1.1: there is one expectation, and none in HTTP/1.0. */
export function expectationOf({ headers, httpVersion }: IncomingMessage): Expectation {
  const { expect = '' } = headers;
  if (expect.trim() === '' || httpVersion === '1.0') return 'none';
  return expect.toLowerCase() === '100-continue' ? 'continue' : 'unknown';
}
