/**
 * Many clients upload at the same time while events are delayed, doubled, shuffled and lost, and the local
 * run is killed and restarted. Then the clock moves past the hours at which the service reconciles due
 * uploads, and every upload, file and announcement is compared with the data that the clients know.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { logMessages } from '../../../contract/internal/log-messages.ts';
import { localDeployment } from '../../../tools/local/local-deployment.ts';
import { eventChaosVariable, hoursAheadVariable } from '../../../tools/local/run.ts';
import { reconcileUploads } from '../../../tools/operator/uploads/reconcile.ts';
import { cutShort } from '../../contract/support/http.ts';
import { type ApiUser, createApiUser, type IssuedUrl } from '../../support/api-user.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';
import { report, sizesOf, soakTimeout } from '../soak.ts';
import { describeBody, type KnownUpload, leftToDo, readState, stateOf } from '../stored-state.ts';

const sizes = sizesOf(
  { uploads: 40, clients: 4, kills: 1, seed: 7 },
  { uploads: 1000, clients: 16, kills: 5, seed: Date.now() % 1_000_000 },
);

/** In bytes. */
const largestUpload = 512 * 1024;
const files = 6;
/** Share of uploads that are interrupted and never retried, in percent. */
const abandonedShare = 20;
const chaos = { maxDelayMilliseconds: 1500, doubled: 0.3, dropped: 0.2 };

/** Plan of one upload. The same seed creates the same plans. */
interface Plan {
  readonly file: number;
  readonly body: Buffer;
  readonly isAbandoned: boolean;
}

function* planUploads(): Generator<Plan> {
  const { uploads, seed } = sizes;
  const size = fc.noBias(fc.nat(largestUpload));
  const file = fc.noBias(fc.nat(files - 1));
  const chance = fc.noBias(fc.nat(99));
  const planned = fc.sample(fc.record({ size, file, chance }), { seed, numRuns: uploads });
  for (const [index, plan] of planned.entries()) {
    const hash = createHash('shake256', { outputLength: plan.size }).update(`${seed} ${index}`);
    const isAbandoned = plan.size > 1 && plan.chance < abandonedShare;
    yield { file: plan.file, body: hash.digest(), isAbandoned };
  }
}

/**
 * Two invocations that record a doubled event at the same time both send an announcement, and a third one
 * follows if the process is killed before they complete the upload. A consumer recognises repetitions by
 * their id. More announcements would be a fault of the service.
 */
const maxAnnouncements = 3;

/** Compares the service with the data that the clients know, and returns counts of the run. */
async function run() {
  const first = await startLocalRun({
    environment: { [eventChaosVariable]: JSON.stringify(chaos) },
    // Longer than any run.
    context: { tokenLifetimeSeconds: '86400' },
  });
  const { stateDirectory } = first;
  const service = { run: first };
  try {
    const { known, kills } = await upload(service);
    await reconcileAll(service);
    const deployment = await localDeployment(stateDirectory);
    expect.soft(await readState(deployment, known)).toEqual(stateOf(known));
    expect.soft(await leftToDo(deployment)).toEqual([]);
    expect.soft(await unannouncedOf(known, stateDirectory)).toEqual([]);
    return {
      abandoned: known.filter(({ content }) => content === undefined).length,
      reconciled: await countLines(stateDirectory, logMessages.uploadReconciled),
      foundUnused: await countLines(stateDirectory, logMessages.uploadExpired),
      kills,
    };
  } finally {
    await service.run.stop();
  }
}

/** The current local run, which replaces a killed one. */
type Service = { run: LocalRun };

/** Uploads as planned, and kills the local run at regular intervals. */
async function upload(service: Service) {
  const { stateDirectory } = service.run;
  const deployment = await localDeployment(stateDirectory);
  const known: KnownUpload[] = [];
  const plans = planUploads();
  let [started, kills] = [0, 0];
  let restarting = Promise.resolve();
  const killWhenDue = () => {
    started += 1;
    if (kills < sizes.kills && started >= ((kills + 1) * sizes.uploads) / (sizes.kills + 1)) {
      kills += 1;
      report(`kill ${kills} after ${started} uploads were begun`);
      restarting = restarting.then(async () => {
        await service.run.kill();
        service.run = await service.run.restart();
      });
    }
  };
  const whenServing = async () => {
    await delay(20);
    await restarting;
  };
  const work = async (user: ApiUser, fileIds: readonly string[]) => {
    for (const { file, body, isAbandoned } of plans) {
      killWhenDue();
      const fileId = fileIds[file] ?? '';
      const { url, uploadId } = await issue(user, fileId, whenServing);
      await (isAbandoned ? putCutShort(url, body) : store(url, body, whenServing));
      known.push({ uploadId, fileId, content: isAbandoned ? undefined : describeBody(body) });
    }
  };
  const many = <Value>(count: number, create: () => Promise<Value>) =>
    Promise.all(Array.from({ length: count }, create));
  const users = await many(sizes.clients, () => createApiUser({ deployment }));
  const fileIds = await many(files, async () => users[0]?.newFile() ?? '');
  await Promise.all(users.map((user) => work(user, fileIds)));
  await restarting;
  return { known, kills };
}

/** Retries one URL until the test knows that the bytes are stored. */
async function store(url: string, body: Buffer, whenServing: () => Promise<void>): Promise<void> {
  for (let interrupted = false; ; interrupted = true) {
    const status = await fetch(url, { method: 'PUT', body }).then((response) => response.status, gone);
    // A 412 means that the killed process lost the response: the first attempt had stored the bytes.
    if (status === 200 || (status === 412 && interrupted)) {
      return;
    }
    if (status !== undefined) {
      throw new Error(`A first PUT got ${status}`);
    }
    await whenServing();
  }
}

/**
 * Retries the request for a URL while the process is down, or responds with 5xx because it ends or starts.
 */
async function issue(user: ApiUser, fileId: string, whenServing: () => Promise<void>): Promise<IssuedUrl> {
  for (;;) {
    const issued = await user.issue(fileId).catch((error: unknown) => {
      if (error instanceof Error && /: 4\d\d$/.test(error.message)) {
        throw error;
      }
    });
    if (issued !== undefined) {
      return issued;
    }
    await whenServing();
  }
}

/** Moves the clock hours ahead until no work is left. A failed upload is checked again an hour later. */
async function reconcileAll(service: Service): Promise<void> {
  const { stateDirectory } = service.run;
  report('waiting until the last events have been delivered');
  await untilDelivered(stateDirectory);
  for (const hours of [2, 4, 30, 32]) {
    await service.run.kill();
    service.run = await service.run.restart({ [hoursAheadVariable]: String(hours) });
    const later = await localDeployment(stateDirectory);
    for (let unfinished = true; unfinished; ) {
      // The schedule may reconcile some of the uploads.
      const done = await reconcileUploads(later);
      unfinished = done.unfinished;
      report(`${hours} hours later: ${JSON.stringify(done)}`);
    }
  }
  await untilDelivered(stateDirectory);
}

const gone = () => undefined;

/** Announces the whole body, sends a part of it and closes the connection. */
function putCutShort(url: string, body: Buffer): Promise<void> {
  const { origin, host, pathname, search } = new URL(url);
  const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n\r\n`;
  // The local run may be down.
  return cutShort(origin, head + 'x'.repeat(body.length / 2)).catch(gone);
}

/**
 * Waits for the delivery of all events. The emulator stores each event in a file until its function has
 * accepted it or the event is given up (packages/emulator/events/outbox.ts).
 */
async function untilDelivered(stateDirectory: string): Promise<void> {
  while ((await readdir(join(stateDirectory, 'aws', 'events'))).length > 0) {
    await delay(100);
  }
}

/** Returns the uploads whose sent events (`events.jsonl`) differ from the data that the clients know. */
async function unannouncedOf(known: readonly KnownUpload[], stateDirectory: string) {
  const text = await readFile(join(stateDirectory, 'events.jsonl'), 'utf8');
  const sent = text
    .trimEnd()
    .split('\n')
    .map((line): string => JSON.parse(line).detail.event_id);
  return known.flatMap(({ uploadId, content }) => {
    const completed = sent.filter((id) => id === `${uploadId}.completed`).length;
    const isRight =
      content === undefined
        ? completed === 0 && sent.includes(`${uploadId}.expired`)
        : completed > 0 && completed <= maxAnnouncements;
    return isRight ? [] : [`${uploadId} was announced as completed ${completed} times`];
  });
}

/** Counts the log lines of the functions with a message. */
async function countLines(stateDirectory: string, message: string): Promise<number> {
  const folder = join(stateDirectory, 'logs');
  const logs = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  return logs.join('').split(`"message":"${message}"`).length - 1;
}

test(
  // Covers lost and doubled events, and kill -9.
  'every upload that was stored is recorded and announced',
  async () => {
    const result = await run();
    report(JSON.stringify(result));
    expect(result.kills).toBe(sizes.kills);
    expect(result.abandoned).toBeGreaterThan(0);
    expect(result.foundUnused).toBeGreaterThanOrEqual(result.abandoned);
    expect(result.reconciled).toBeGreaterThan(0);
  },
  soakTimeout,
);
