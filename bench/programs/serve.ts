import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Serves over HTTP, in a process that the benchmark started. It tells the benchmark its port, and how much CPU time the
 * process has used, in microseconds, each time that the benchmark asks.
 */
export function serve(listener: RequestListener): void {
  const server = createServer(listener);
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicroseconds: user + system });
  });
  // The benchmark has ended, so nothing will ask any more.
  process.on('disconnect', () => process.exit(0));
}

/** The body of a request, as text. */
export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
  });
}

/** An environment variable that the benchmark sets. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`Missing environment variable: ${name}`);
  }
  return value;
}

/** What a bare SDK client of a peer needs. */
export function awsConfig() {
  return {
    region: setting('AWS_REGION'),
    endpoint: setting('AWS_ENDPOINT_URL'),
    credentials: {
      accessKeyId: setting('AWS_ACCESS_KEY_ID'),
      secretAccessKey: setting('AWS_SECRET_ACCESS_KEY'),
      sessionToken: setting('AWS_SESSION_TOKEN'),
    },
  };
}
