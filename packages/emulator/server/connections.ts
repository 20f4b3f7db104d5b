import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** The last answer on a connection, to bytes that are no request. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** The answers that one server still owes on its connections. No request is answered twice or out of turn. */
export interface Connections {
  /** Notes a request that will be answered. */
  readonly note: (request: IncomingMessage, response: ServerResponse) => void;
  /** Whether a request on the connection has a body that has not come to its end. */
  readonly awaitsBody: (connection: Duplex) => boolean;
  /**
   * Ends a connection on which no further request can be read. First it sends the answers that are still due.
   *
   * @param refuse makes the last answer. Its parameter says whether the bytes belong to the body of a request whose
   *   head was read. It is not called if that request already has its answer. Without it there is no last answer.
   */
  readonly end: (connection: Duplex, refuse?: (ofBody: boolean) => Refusal) => void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The answer before this one, if it was still owed when the request came. */
  readonly before: ServerResponse | undefined;
}

/** How long a client may take to notice that the connection has ended. */
const lingerMilliseconds = 1000;

/** Longest wait for answers that are owed: as long as the API waits for a function. */
const longestAnswerMilliseconds = 30_000;

export function createConnections(): Connections {
  const lastExchanges = new WeakMap<object, Exchange>();
  const ending = new WeakSet<object>();
  return {
    note: (request, response) => {
      const before = lastExchanges.get(request.socket)?.response;
      const isOwed = before !== undefined && !before.writableFinished;
      lastExchanges.set(request.socket, { request, response, before: isOwed ? before : undefined });
    },
    awaitsBody: (connection) => lastExchanges.get(connection)?.request.complete === false,
    end: (connection, refuse) => {
      // After a failure, the parser fails again for every byte that arrives.
      if (ending.has(connection) || connection.destroyed) {
        return;
      }
      ending.add(connection);
      // Node no longer handles the errors of a connection that it has handed over.
      connection.on('error', () => undefined);
      const last = lastExchanges.get(connection);
      if (last === undefined || last.request.complete) {
        whenAnswered(last?.response, longestAnswerMilliseconds, (answered) =>
          sendLast(connection, answered ? refuse?.(false) : undefined),
        );
      } else if (last.response.headersSent) {
        // The exchange waits for the rest of the body, which cannot be read any more.
        whenAnswered(last.response, lingerMilliseconds, () => sendLast(connection, undefined));
      } else {
        whenAnswered(last.before, longestAnswerMilliseconds, (answered) =>
          sendLast(connection, answered && !last.response.headersSent ? refuse?.(true) : undefined),
        );
      }
    },
  };
}

function whenAnswered(
  response: ServerResponse | undefined,
  milliseconds: number,
  act: (answered: boolean) => void,
): void {
  if (response === undefined || response.writableFinished) {
    act(true);
    return;
  }
  const onClose = () => {
    clearTimeout(timer);
    act(true);
  };
  const timer = setTimeout(() => {
    response.off('close', onClose);
    act(false);
  }, milliseconds);
  response.once('close', onClose);
}

/**
 * Sends the last answer and ends, but continues to read for a moment. A connection that is closed with unread bytes is
 * reset, and the client may then lose the answer (RFC 9112 section 9.6).
 */
function sendLast(connection: Duplex, refusal: Refusal | undefined): void {
  if (connection.destroyed) {
    return;
  }
  connection.resume();
  if (connection.writable) {
    connection.end(refusal && encode(refusal));
  }
  const timer = setTimeout(() => connection.destroy(), lingerMilliseconds);
  connection.once('close', () => clearTimeout(timer));
}

function encode({ status, headers, body }: Refusal): Buffer {
  const content = Buffer.from(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${content.length}`,
    'connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content]);
}
