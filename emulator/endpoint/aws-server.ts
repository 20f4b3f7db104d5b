import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { isOpen, sendAnswer } from '../protocols/answer.ts';
import { type ReceivedRequest, receiveRequest } from '../protocols/request.ts';
import { commonHeaders, errorAnswer } from '../s3/errors.ts';
import { createConnections } from '../server/connections.ts';
import { expectationOf } from '../server/expectation.ts';
import { createFramingJudge } from '../server/framing.ts';
import { AwsError } from '../shared/errors.ts';
import { errorOfParser, malformedRequest, refusal } from './refusal.ts';

/** Longer than any pool of connections of the SDK keeps one unused, in milliseconds. */
const keepAliveTimeout = 120_000;

/** A presigned URL carries a session token with a session policy in it. In bytes. */
const largestHead = 64 * 1024;

export interface HttpServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * Serves on 127.0.0.1.
 *
 * @param port 0 lets the system choose
 * @throws {Error} with code EADDRINUSE when the port is taken
 */
export async function serve(
  port: number,
  handle: (request: ReceivedRequest) => Promise<void>,
  now: () => Date,
  log: (line: Readonly<Record<string, unknown>>) => void,
): Promise<HttpServer> {
  // An upload may take as long as it takes: no timeout for the whole request.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout, maxHeaderSize: largestHead });
  const { judge, isCondemned } = createFramingJudge();
  const connections = createConnections();
  const onRequest = (message: IncomingMessage, response: ServerResponse) => {
    // A client that goes away is its own affair; what it was sending is dealt with where it is read.
    response.on('error', () => undefined);
    message.on('error', () => undefined);
    const framing = judge(message);
    // It ends with the connection, unanswered.
    if (framing === 'behind ambiguous') return;
    connections.note(message, response);
    // The SDK sets its clock by this header, so it must tell the time that signatures are judged by.
    response.setHeader('date', now().toUTCString());
    const request = receiveRequest(message, response);
    void handleOne(request, framing === 'ambiguous', handle).catch((error) => {
      log({ level: 'error', message: 'local AWS failed', error: String(error) });
      response.destroy();
    });
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, onRequest);
  const refuse = (connection: Duplex, errorOf: (ofBody: boolean) => AwsError) => {
    if (isCondemned(connection)) connections.end(connection);
    else connections.end(connection, (ofBody) => refusal(errorOf(ofBody), now()));
  };
  server.on('clientError', (error: NodeJS.ErrnoException, connection) =>
    refuse(connection, (ofBody) => errorOfParser(error.code, ofBody)),
  );
  server.on('connect', (_, connection) => refuse(connection, malformedRequest));
  await listen(server, port);
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

async function handleOne(
  request: ReceivedRequest,
  isAmbiguous: boolean,
  handle: (request: ReceivedRequest) => Promise<void>,
): Promise<void> {
  const { response } = request;
  try {
    if (isAmbiguous) {
      response.shouldKeepAlive = false;
      throw malformedRequest();
    }
    if (expectationOf(request.message) === 'unknown') {
      throw new AwsError(417, 'InvalidRequest', 'Nothing but 100-continue can be expected of this service.');
    }
    if (request.malformed) throw new AwsError(400, 'InvalidURI', "Couldn't parse the specified URI.");
    await handle(request);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (isOpen(response)) await sendError(request, error);
    else response.destroy();
  }
}

async function sendError(request: ReceivedRequest, error: AwsError): Promise<void> {
  const { status, headers, body = '' } = errorAnswer(error, request.path, request.requestId);
  await sendAnswer(request, { status, headers: { ...commonHeaders(request.requestId), ...headers }, body });
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
