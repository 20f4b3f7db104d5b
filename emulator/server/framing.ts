import type { IncomingMessage } from 'node:http';

/**
 * What a request is on its connection: one like any other, one that two servers could understand differently, or
 * one that came behind such a one and may be what somebody else believes to be a body.
 */
export type Framing = 'proper' | 'ambiguous' | 'behind ambiguous';

export interface FramingJudge {
  readonly judge: (request: IncomingMessage) => Framing;
  /** Whether an ambiguous request came on the connection: nothing more is to be answered on it. */
  readonly isCondemned: (connection: object) => boolean;
}

/** Judges the requests of one server (RFC 9112 sections 3.2, 6.1 and 11.2). */
export function createFramingJudge(): FramingJudge {
  const condemned = new WeakSet<object>();
  return {
    isCondemned: (connection) => condemned.has(connection),
    judge: (request) => {
      if (condemned.has(request.socket)) return 'behind ambiguous';
      if (!isAmbiguous(request)) return 'proper';
      condemned.add(request.socket);
      return 'ambiguous';
    },
  };
}

/**
 * Node's parser refuses most of what is ambiguous by itself. It takes a Transfer-Encoding without a value, one with
 * more codings than chunked, and several Hosts.
 */
function isAmbiguous({ headersDistinct }: IncomingMessage): boolean {
  const { host = [], 'transfer-encoding': codings, 'content-length': lengths } = headersDistinct;
  if (host.length > 1) return true;
  if (codings === undefined) return false;
  return lengths !== undefined || codings.join().trim().toLowerCase() !== 'chunked';
}
