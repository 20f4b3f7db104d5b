import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** The last answer on a connection, to what is no request that could be served. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** What one server owes on its connections, so that no request is answered twice or out of turn. */
export interface Connections {
  /** Notes a request that will be answered. */
  readonly note: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * Ends a connection whose next byte could be anything, once what is owed on it has been answered.
   *
   * @param refuse makes the last answer, told whether it is about the body of a request that is known by then. Not
   * called when that request has its answer already. Without it, nothing more is said.
   */
  readonly end: (connection: Duplex, refuse?: (ofBody: boolean) => Refusal) => void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The answer before, if that was still owed when the request came. */
  readonly before: ServerResponse | undefined;
}

/** How long a client may take to see that the connection has ended, in milliseconds. */
const lingerMilliseconds = 1000;

/** Longest wait for answers that are owed, in milliseconds: that of the API for a function. */
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
    end: (connection, refuse) => {
      // A parser that has failed fails again with every byte that comes.
      if (ending.has(connection) || connection.destroyed) {
        return;
      }
      ending.add(connection);
      // Node listens no longer to a connection that it has handed over.
      connection.on('error', () => undefined);
      const last = lastExchanges.get(connection);
      if (last === undefined || last.request.complete) {
        whenAnswered(last?.response, longestAnswerMilliseconds, (answered) =>
          say(connection, answered ? refuse?.(false) : undefined),
        );
      } else if (last.response.headersSent) {
        // It waits for the rest of the body, which cannot be read any more.
        whenAnswered(last.response, lingerMilliseconds, () => say(connection, undefined));
      } else {
        whenAnswered(last.before, longestAnswerMilliseconds, (answered) =>
          say(connection, answered && !last.response.headersSent ? refuse?.(true) : undefined),
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
 * Says the last and ends, reading on for a moment: a connection that is closed over unread bytes is reset, and a
 * reset can take the answer away from the client (RFC 9112 section 9.6).
 */
function say(connection: Duplex, refusal: Refusal | undefined): void {
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
