import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BusEvent } from 'cloud-assembly-emulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localDeployment } from '../../../../tools/operator/deployment/local-deployment.ts';
import { createApiUser } from '../../../support/api-user.ts';
import { type LocalRun, startLocalRun } from '../../../support/local-run.ts';

/** `npm start -- --events-to URL`, through a consumer that is down and a kill of the run. */

let run: LocalRun;
let port: number;
let server: Server | undefined;
const received: BusEvent[] = [];

function serve(wanted: number): Promise<Server> {
  const consumer = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) {
      body += chunk;
    }
    received.push(JSON.parse(body));
    response.writeHead(204).end();
  });
  return new Promise((resolve) => consumer.listen(wanted, '127.0.0.1', () => resolve(consumer)));
}

const close = (consumer: Server) =>
  new Promise((resolve) => {
    consumer.closeAllConnections();
    consumer.close(resolve);
  });

/** A port that nobody listens on, for now. */
async function freePort(): Promise<number> {
  const probe = await serve(0);
  const { port: free } = probe.address() as AddressInfo;
  await close(probe);
  return free;
}

beforeAll(async () => {
  port = await freePort();
  run = await startLocalRun({ flags: ['--no-console', '--events-to', `http://127.0.0.1:${port}/events`] });
}, 120_000);
afterAll(async () => {
  await run?.stop();
  if (server !== undefined) {
    await close(server);
  }
});

let uploads = 0;

async function upload(body: string): Promise<void> {
  const deployment = await localDeployment(run.stateDirectory);
  const { issue } = await createApiUser({ deployment, baseUrl: run.baseUrl });
  expect((await (await issue()).put(body)).status).toBe(200);
  uploads += 1;
  await expect.poll(loggedIds, { timeout: 20_000 }).toHaveLength(uploads);
}

/** The ids of the events in the file, without repetitions. */
async function loggedIds(): Promise<readonly string[]> {
  const text = await readFile(join(run.stateDirectory, 'events.jsonl'), 'utf8');
  const events = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as BusEvent]));
  return idsOf(events);
}

const idsOf = (events: readonly BusEvent[]) => [
  ...new Set(events.map(({ detail }) => String(detail.event_id))),
];

describe('a local run with --events-to', () => {
  test('sends what the consumer missed, although the run was killed meanwhile, and what comes later', async () => {
    await upload('while the consumer is down');
    await expect
      .poll(() => run.stderr(), { timeout: 20_000 })
      .toMatch(/did not take an event: .*ECONNREFUSED/);
    await run.kill();
    server = await serve(port);
    run = await run.restart();
    await upload('while the consumer is up');
    const wanted = await loggedIds();
    expect(wanted).toHaveLength(2);
    await expect.poll(() => idsOf(received).toSorted(), { timeout: 20_000 }).toEqual(wanted.toSorted());
    expect(received[0]).toMatchObject({ source: 'file-sync-api', 'detail-type': 'Upload Completed' });
  }, 120_000);

  test('says where the events go', () => {
    const path = join(run.stateDirectory, 'events.jsonl');
    expect(run.stdout()).toContain(
      `Events of uploads are appended to ${path}, and sent to http://127.0.0.1:`,
    );
  });
});
