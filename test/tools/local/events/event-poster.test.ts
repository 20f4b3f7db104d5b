import { readdir } from 'node:fs/promises';
import type { BusEvent } from 'cloud-assembly-emulator';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { type EventPoster, openEventPoster } from '../../../../tools/local/events/event-poster.ts';
import { startConsumer } from './consumer.ts';

let directory: string;
let said: string[];

beforeEach(async () => {
  directory = await temporaryFolder();
  said = [];
});

async function open(url: string): Promise<EventPoster> {
  const poster = await openEventPoster({
    directory,
    url,
    headers: { 'x-api-key': 'the key' },
    say: (line) => said.push(line),
    pauseMilliseconds: 20,
  });
  atEnd(poster.close);
  return poster;
}

function eventOf(id: string): BusEvent {
  return {
    version: '0',
    id,
    'detail-type': 'Upload Completed',
    source: 'file-sync-api',
    account: '000000000000',
    time: new Date().toISOString(),
    region: 'us-east-1',
    resources: [],
    detail: { event_id: `${id}.completed` },
  };
}

const waiting = () => readdir(directory);

test('an event is sent as EventBridge sends it to an API destination', async () => {
  const { received, url } = await startConsumer(() => 200);
  const event = eventOf('one');
  await (await open(url)).take(event);
  await expect.poll(waiting).toEqual([]);
  expect(received).toMatchObject([
    {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-api-key': 'the key' },
      body: event,
    },
  ]);
  expect(said).toEqual([]);
});

test.for([500, 429, 404, 302])(
  'an event is sent again after a response of %i, until it is taken',
  async (status) => {
    const { received, url } = await startConsumer((_, before) => (before < 2 ? status : 204));
    await (await open(url)).take(eventOf('one'));
    await expect.poll(waiting).toEqual([]);
    expect(received).toHaveLength(3);
    // The query may contain a key, so no line shows it.
    const shown = url.replace('?of=uploads', '?...');
    // At most one line per minute, for any number of retries.
    expect(said).toEqual([
      `events: ${shown} did not take an event: it responded with ${status}. It is sent again until it is taken.`,
    ]);
  },
);

test('an event without a receiver does not delay the others', async () => {
  const { received, url } = await startConsumer(({ id }) => (id === 'poison' ? 400 : 200));
  const poster = await open(url);
  for (const id of ['poison', 'two', 'three']) {
    await poster.take(eventOf(id));
  }
  await expect.poll(waiting).toEqual([expect.stringMatching(/-poison\.json$/)]);
  const others = received.map(({ body }) => body.id).filter((id) => id !== 'poison');
  expect(others).toEqual(['two', 'three']);
});

test('undelivered events are kept, and sent by the next run', async () => {
  const rejected = await open('http://127.0.0.1:2/');
  await rejected.take(eventOf('one'));
  await rejected.take(eventOf('two'));
  await expect
    .poll(() => said)
    .toEqual([
      'events: http://127.0.0.1:2/ did not take an event: connection refused (ECONNREFUSED). It is sent again until it is taken.',
    ]);
  await rejected.close();
  expect(await waiting()).toHaveLength(2);
  const { received, url } = await startConsumer(() => 200);
  await open(url);
  await expect.poll(waiting).toEqual([]);
  expect(received.map(({ body }) => body.id).toSorted()).toEqual(['one', 'two']);
});
