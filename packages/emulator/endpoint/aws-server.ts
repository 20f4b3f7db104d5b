import type { ServerOptions } from 'node:http';
import { type ReceivedRequest, receiveRequest, sendResponse } from '../protocols/request.ts';
import { errorResponse } from '../s3/errors.ts';
import { type HandleRequest, openHttpServer } from '../server/http-server.ts';
import { isOpen } from '../server/write-response.ts';
import { AwsError } from '../shared/errors.ts';
import type { Log } from '../shared/log.ts';
import { misdirectedRequest, parserErrorResponse } from './parser-errors.ts';

const serverOptions: ServerOptions = {
  // No limit for a whole upload; idleMilliseconds limits its pauses.
  requestTimeout: 0,
  // The SDK does not reuse a connection after a longer idle time.
  keepAliveTimeout: 120_000,
  // In bytes. A presigned URL contains a session token, and the token contains a session policy.
  maxHeaderSize: 64 * 1024,
};

/**
 * Time limits for clients. Without a limit for the head, clients that send nothing could use up all
 * connections.
 */
const defaultLimits = {
  /** Maximum time for the head of a request, from the opening of the connection. */
  headMilliseconds: 10_000,
  /** Maximum pause within a body. */
  idleMilliseconds: 60_000,
};

interface AwsServerOptions {
  /** Accepted names in the Host header, besides the loopback names. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly limits?: typeof defaultLimits;
}

/**
 * Server of all AWS endpoints. It listens on its port, and responds with 503 until the services are ready.
 */
export interface AwsServer {
  /** For `AWS_ENDPOINT_URL`. */
  readonly endpoint: string;
  readonly serve: (options: ServeOptions) => void;
  readonly close: () => Promise<void>;
}

export interface ServeOptions {
  readonly handle: (request: ReceivedRequest) => Promise<void>;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Listens on a port of 127.0.0.1.
 *
 * @param port port number; 0 lets the system choose
 * @throws {Error} with code EADDRINUSE when the port is in use
 */
export async function openAwsServer(
  port: number,
  { allowedHosts, limits = defaultLimits }: AwsServerOptions = {},
): Promise<AwsServer> {
  const handleEarly = async () => {
    throw new AwsError(503, 'ServiceUnavailable', 'The emulator is still starting.');
  };
  const server = await openHttpServer({
    port,
    node: {
      ...serverOptions,
      headersTimeout: limits.headMilliseconds,
      connectionsCheckingInterval: Math.min(2000, limits.headMilliseconds),
    },
    idleMilliseconds: limits.idleMilliseconds,
    allowedHosts,
    handleEarly: createHandler({ handle: handleEarly, now: () => new Date(), log: () => undefined }),
    reject: parserErrorResponse,
    maxGraceMilliseconds: 0,
  });
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    serve: (options) => server.serve(createHandler(options)),
    close: server.close,
  };
}

function createHandler({ handle, now, log }: ServeOptions): HandleRequest {
  return (message, response, hasAllowedHost) => {
    // The SDK sets its clock by this header, so the header must show the time used to check signatures.
    response.setHeader('date', now().toUTCString());
    const request = receiveRequest(message, response);
    handleOne(request, hasAllowedHost, handle).catch((error) => {
      log({ level: 'error', message: 'AWS endpoint failed', error: String(error) });
      response.destroy();
    });
  };
}

async function handleOne(
  request: ReceivedRequest,
  hasAllowedHost: boolean,
  handle: (request: ReceivedRequest) => Promise<void>,
): Promise<void> {
  try {
    if (!hasAllowedHost) {
      throw misdirectedRequest();
    }
    if (request.malformed) {
      throw new AwsError(400, 'InvalidURI', "Couldn't parse the specified URI.");
    }
    await handle(request);
  } catch (error) {
    if (!(error instanceof AwsError)) {
      throw error;
    }
    if (isOpen(request.response)) {
      await sendResponse(request, errorResponse(error, request.requestId));
    } else {
      request.response.destroy();
    }
  }
}
