import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type EventPoster,
  type EventPosterOptions,
  openEventPoster,
} from '../../../local/events/event-poster.ts';
import { eventOf } from './support.ts';

let directory: string;
let said: string[];
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'file-sync-event-poster-test-'));
  said = [];
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) {
    await close();
  }
  await rm(directory, { recursive: true });
});

const backoff = { firstMilliseconds: 5, longestMilliseconds: 20 };

async function open(options: Partial<EventPosterOptions>): Promise<EventPoster> {
  const poster = await openEventPoster({
    directory,
    url: 'http://consumer.invalid/events',
    say: (line) => said.push(line),
    backoff,
    ...options,
  });
  closers.push(poster.close);
  return poster;
}

interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** @param answers the status of each answer in turn; the last one for all that follow */
async function consumer(...answers: readonly number[]) {
  const received: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk);
    }
    const { method, headers } = request;
    const status = answers[Math.min(received.length, answers.length - 1)] ?? 200;
    received.push({ method, headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(status, { location: '/elsewhere' }).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events?of=uploads` };
}

/** The query may hold a key, so no line shows it. */
const shown = (url: string) => url.replace('?of=uploads', '?...');

const waiting = () => readdir(directory);

describe('an event', () => {
  test('is sent as EventBridge sends it to an API destination, and is then not kept', async () => {
    const { received, url } = await consumer(200);
    const poster = await open({ url });
    const event = eventOf('one');
    await poster.take(event);
    await expect.poll(waiting).toEqual([]);
    expect(received).toMatchObject([
      { method: 'POST', headers: { 'content-type': 'application/json; charset=utf-8' }, body: event },
    ]);
    expect(said).toEqual([]);
  });

  test.each([500, 429, 404, 302])(
    'is sent again after an answer of %i, until it is taken',
    async (status) => {
      const { received, url } = await consumer(status, status, 204);
      const poster = await open({ url });
      await poster.take(eventOf('one'));
      await expect.poll(waiting).toEqual([]);
      expect(received).toHaveLength(3);
      expect(said).toEqual([
        `events: ${shown(url)} did not take an event: it answered ${status}. It is sent again until it is taken.`,
        `events: ${shown(url)} takes events again`,
      ]);
    },
  );

  test('that nobody takes does not hold up the others', async () => {
    const taken: string[] = [];
    const poster = await open({
      post: async (_, { id }) => {
        if (id === 'poison') {
          throw new Error('it answered 400');
        }
        taken.push(id);
      },
    });
    for (const id of ['poison', 'two', 'three', 'four', 'five', 'six']) {
      await poster.take(eventOf(id));
    }
    await expect.poll(() => taken.toSorted()).toEqual(['five', 'four', 'six', 'three', 'two']);
    await expect.poll(waiting).toEqual(['poison.json']);
  });

  test('is kept while nobody listens, and sent by the next run', async () => {
    const refused = await open({
      post: async () => {
        throw new Error('ECONNREFUSED');
      },
    });
    await refused.take(eventOf('one'));
    await refused.take(eventOf('two'));
    await expect.poll(() => said).toHaveLength(1);
    await refused.close();
    expect((await waiting()).toSorted()).toEqual(['one.json', 'two.json']);
    const { received, url } = await consumer(200);
    await open({ url });
    await expect.poll(waiting).toEqual([]);
    expect(received.map(({ body }) => (body as { id: string }).id).toSorted()).toEqual(['one', 'two']);
  });

  test('waits with any number of others, also where a process may open few files', async () => {
    const ids = Array.from({ length: 2000 }, (_, index) => `event-${index}`);
    for (const id of ids) {
      await writeFile(join(directory, `${id}.json`), JSON.stringify(eventOf(id)));
    }
    const module = new URL('../../../local/events/event-poster.ts', import.meta.url).href;
    const options = `{ directory: process.argv[1], url: 'http://127.0.0.1/', say: console.error,
      post: async (url, { id }) => console.log(id) }`;
    const program = `const { openEventPoster } = await import('${module}'); await openEventPoster(${options});`;
    const { stdout, stderr } = await promisify(execFile)('sh', [
      '-c',
      'ulimit -n 256 && exec "$0" "$@"',
      process.execPath,
      ...['--import', 'tsx', '--input-type=module', '--eval', program, '--', directory],
    ]);
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n').toSorted()).toEqual(ids.toSorted());
    expect(await waiting()).toEqual([]);
  });

  test('that can no longer be read is named, and does not hold up the others', async () => {
    await writeFile(join(directory, 'empty.json'), '');
    await writeFile(join(directory, 'other.json'), '{"id":1}');
    await writeFile(join(directory, 'good.json'), JSON.stringify(eventOf('good')));
    const { received, url } = await consumer(200);
    await open({ url });
    await expect.poll(() => received.length).toBe(1);
    await expect.poll(waiting).toEqual(['empty.json', 'other.json']);
    expect(said.toSorted()).toEqual([
      expect.stringMatching(/empty\.json holds no event/),
      expect.stringMatching(/other\.json holds no event/),
    ]);
  });

  test('names the reason when the connection is refused', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const poster = await open({ url: `http://127.0.0.1:${port}/` });
    await poster.take(eventOf('one'));
    await expect.poll(() => said).toHaveLength(1);
    expect(said[0]).toBe(
      `events: http://127.0.0.1:${port}/ did not take an event: ECONNREFUSED. It is sent again until it is taken.`,
    );
  });

  test('says that a port is one to which fetch never connects', async () => {
    const poster = await open({ url: 'http://127.0.0.1:6000/' });
    await poster.take(eventOf('one'));
    await expect.poll(() => said).toHaveLength(1);
    expect(said[0]).toMatch(/did not take an event: fetch connects to no such port, so choose another one\./);
  });

  test('of the day before is tried once more, and given up with a line', async () => {
    let attempts = 0;
    const poster = await open({
      post: async () => {
        attempts += 1;
        throw new Error('it answered 500');
      },
    });
    await poster.take(eventOf('old', new Date(Date.now() - 25 * 3_600_000)));
    await expect.poll(waiting).toEqual([]);
    expect(attempts).toBe(1);
    expect(said).toEqual([expect.stringMatching(/has not taken event old for 24 hours: it answered 500/)]);
  });

  test('is in the folder before take ends, so that a kill does not lose it', async () => {
    const poster = await open({ post: () => new Promise(() => undefined) });
    await poster.take(eventOf('one'));
    expect(await waiting()).toEqual(['one.json']);
    // This request never ends, so it is not waited for.
    closers.length = 0;
  });
});
