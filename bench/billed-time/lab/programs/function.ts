/**
 * Serves one bundle of a function. The body of each HTTP request is the event; the answer says how long the handler took,
 * in milliseconds. `GET /-/usage` says what the process used since it started.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { readBody, serve, setting } from '../../../programs/serve.ts';

interface Answer {
  readonly statusCode?: number;
  readonly body?: string;
}

let logBytes = 0;
let logLines = 0;
// What a function prints is its log. CloudWatch bills it by the byte.
process.stdout.write = (text: string | Uint8Array) => {
  logBytes += Buffer.byteLength(text);
  logLines += 1;
  return true;
};

const { handler }: { handler: (event: unknown) => Promise<Answer | undefined> } = await import(
  pathToFileURL(setting('BUNDLE')).href
);

serve(async (request, response) => {
  const body = await readBody(request);
  if (request.url === '/-/usage') {
    response.end(JSON.stringify(usage()));
    return;
  }
  const event: unknown = JSON.parse(body);
  const startedAt = performance.now();
  const answer = await handler(event);
  const ended = performance.now();
  const milliseconds = ended - startedAt;
  if (answer?.statusCode !== undefined && answer.statusCode !== 200) {
    response.writeHead(500);
  }
  // `sinceStart` has the start of Node.js in it, which is a part of what Lambda bills for a cold start.
  const bytes = Buffer.byteLength(answer?.body ?? '');
  response.end(JSON.stringify({ milliseconds, sinceStart: ended, bytes, answer: answer?.body }));
});

function usage() {
  const { user, system } = process.cpuUsage();
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return {
    pid: process.pid,
    cpuMicroseconds: user + system,
    peakBytes: Number(peak) * 1024,
    logBytes,
    logLines,
  };
}
