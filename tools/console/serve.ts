import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperationError, reasonOf, systemCode } from '../operator/errors.ts';
import type { ConsoleContext } from './http/environment.ts';
import { createSessions } from './http/sessions.ts';

/** A running console. */
export type RunningConsole = Awaited<ReturnType<typeof serveConsole>>;

export interface ServeOptions {
  /** Port number. 0: any free port. Undefined: the default port, or any free port if it is taken. */
  readonly port: number | undefined;
  /** Command-line flag that chooses the port. */
  readonly portFlag: string;
  /** Loads the console at the first request. Nothing is loaded or opened before. */
  readonly open: () => Promise<ConsoleContext>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** 128 bits, because a label of a host name is limited to 63 characters (RFC 1035 section 2.3.4). */
const hostBytes = 16;

/**
 * Serves the console on this machine only. The pages are loaded at the first request, so an unused console
 * costs only a port.
 *
 * @throws {OperationError} if the port is taken
 */
export async function serveConsole(options: ServeOptions) {
  const { open, now } = options;
  const servers: Servers = [createServer(), createServer()];
  const port = await listen(servers, options);
  const host = `${randomBytes(hostBytes).toString('hex')}.localhost:${port}`;
  const origin = `http://${host}`;
  const sessions = createSessions(now, randomBytes);
  const load = async (): Promise<RequestListener> => {
    const [{ getRequestListener }, { createApp }, console] = await Promise.all([
      import('@hono/node-server'),
      import('./app.tsx'),
      open(),
    ]);
    const app = createApp({ console, sessions, host });
    // By default, the adapter would replace the global Request and Response for the whole process.
    return getRequestListener(app.fetch, { overrideGlobalObjects: false });
  };
  let loading: Promise<RequestListener> | undefined;
  const serve: RequestListener = async (request, response) => {
    try {
      loading ??= load();
      await (await loading)(request, response);
    } catch (error) {
      loading = undefined;
      response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`The console cannot start: ${reasonOf(error)}\n`);
    }
  };
  for (const server of servers) {
    server.on('request', serve);
  }
  return {
    port,
    /**
     * Origin of the console. Its host name cannot be guessed, so no other program of this machine gets the
     * cookie.
     */
    origin,
    /** Creates a one-time link. */
    newLink: () => `${origin}/enter/${sessions.newLink()}`,
    close: async () => {
      await Promise.all(servers.map(closeServer));
    },
  };
}

/** The port is the same at each start, so addresses of pages stay valid. */
const defaultPort = 3100;

/** Servers for 127.0.0.1 and ::1. */
type Servers = readonly [Server, Server];

/** @returns the port */
async function listen(servers: Servers, { port, portFlag }: ServeOptions): Promise<number> {
  try {
    return await listenOn(servers, port ?? defaultPort);
  } catch (error) {
    if (port === undefined && systemCode(error) === 'EADDRINUSE') {
      return listenOn(servers, 0);
    }
    throw new OperationError(
      `The console cannot use port ${port ?? defaultPort}: ${reasonOf(error)}. Choose another port with ${portFlag}, or any free port with ${portFlag} 0.`,
    );
  }
}

/**
 * Takes the port on both loopback addresses: browsers try both for a name that ends with `.localhost`, so
 * another program at one of them could get the link. Without IPv6, no program can use the second address.
 *
 * @throws error of a server
 */
async function listenOn([four, six]: Servers, port: number): Promise<number> {
  four.listen(port, '127.0.0.1');
  await once(four, 'listening');
  const taken = (four.address() as AddressInfo).port;
  try {
    six.listen(taken, '::1');
    await once(six, 'listening');
  } catch (error) {
    if (systemCode(error) === 'EADDRINUSE') {
      await closeServer(four);
      throw error;
    }
  }
  return taken;
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
