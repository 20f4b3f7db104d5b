import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperationError, reasonOf, systemCode } from '../operator/errors.ts';
import type { ConsoleContext } from './http/environment.ts';
import { createSessions } from './http/sessions.ts';

/** A console that serves. */
export interface ServingConsole {
  readonly port: number;
  /** A new one-time link. */
  readonly newLink: () => string;
  readonly close: () => Promise<void>;
}

export interface ServeOptions {
  /** 0: any free port. Undefined: the usual port, or any free port if that is taken. */
  readonly port: number | undefined;
  /** The flag of the command line that chooses the port. */
  readonly portFlag: string;
  /** Called at the first request: nothing is loaded or opened before. */
  readonly open: () => Promise<ConsoleContext>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Serves the console on 127.0.0.1. The pages are loaded at the first request, so that a console that nobody opens costs
 * only a port.
 *
 * @throws {OperationError} when the port is taken
 */
export async function serveConsole(options: ServeOptions): Promise<ServingConsole> {
  const { open, now } = options;
  const server = createServer();
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const sessions = createSessions({ now, randomBytes });
  const load = async (): Promise<RequestListener> => {
    const [{ getRequestListener }, { createApp }, console] = await Promise.all([
      import('@hono/node-server'),
      import('./app.tsx'),
      open(),
    ]);
    const app = createApp({ console, sessions, port });
    // The option would replace the global Request and Response for the whole process.
    return getRequestListener(app.fetch, { overrideGlobalObjects: false });
  };
  let loading: Promise<RequestListener> | undefined;
  server.on('request', async (request, response) => {
    try {
      loading ??= load();
      await (await loading)(request, response);
    } catch (error) {
      loading = undefined;
      response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`The console cannot serve: ${reasonOf(error)}\n`);
    }
  });
  return {
    port,
    newLink: () => `http://127.0.0.1:${port}/enter/${sessions.newLink()}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The port is the same each time, so that people can keep the addresses of pages. */
const usualPort = 3100;

async function listen(server: Server, { port, portFlag }: ServeOptions): Promise<void> {
  try {
    await listenOn(server, port ?? usualPort);
  } catch (error) {
    if (port === undefined && systemCode(error) === 'EADDRINUSE') {
      return listenOn(server, 0);
    }
    throw new OperationError(
      `The console cannot use port ${port ?? usualPort}: ${reasonOf(error)}. Choose another port with ${portFlag}, or any free port with ${portFlag} 0.`,
    );
  }
}

/** @throws the error of the server */
async function listenOn(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
