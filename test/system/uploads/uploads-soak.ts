/**
 * Many clients upload at the same time while events are delayed, doubled, shuffled and lost, and the local
 * run is killed and restarted. Then the clock moves past the hours at which the service reconciles due
 * uploads, and every upload, file and announcement is compared with the data that the clients know.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { logMessages } from '../../../contract/internal/log-messages.ts';
import { eventChaosVariable, hoursAheadVariable } from '../../../tools/local/run.ts';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { reconcileUploads } from '../../../tools/operator/uploads/reconcile.ts';
import { type ApiUser, createApiUser, type IssuedUrl } from '../../support/api-user.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';
import { report } from '../soak.ts';
import { checkStoredState, describeBody, type KnownUpload, leftToDo } from '../stored-state.ts';
import { checkAnnouncements } from './announcements.ts';

export interface SoakOptions {
  readonly uploads: number;
  readonly clients: number;
  readonly files: number;
  readonly kills: number;
  /** In bytes. */
  readonly largestUpload: number;
  /** Share of uploads that are interrupted and never retried, from 0 to 1. */
  readonly abandonedShare: number;
  /** Share of events that are delivered twice, and share of lost events, from 0 to 1. */
  readonly doubledShare: number;
  readonly droppedShare: number;
  readonly seed: number;
}

/** Plan of one upload. The same seed creates the same plans. */
interface Plan {
  readonly file: number;
  readonly body: Buffer;
  readonly abandon: boolean;
}

function* planUploads({ uploads, files, largestUpload, abandonedShare, seed }: SoakOptions): Generator<Plan> {
  const size = fc.noBias(fc.nat(largestUpload));
  const file = fc.noBias(fc.nat(files - 1));
  const chance = fc.noBias(fc.nat(99));
  const planned = fc.sample(fc.record({ size, file, chance }), { seed, numRuns: uploads });
  for (const [index, plan] of planned.entries()) {
    const hash = createHash('shake256', { outputLength: plan.size }).update(`${seed} ${index}`);
    const abandon = plan.size > 1 && plan.chance < 100 * abandonedShare;
    yield { file: plan.file, body: hash.digest(), abandon };
  }
}

/** @returns counts of the run, and all differences between the service and the data that the clients know */
export async function runUploadsSoak(options: SoakOptions) {
  const { doubledShare, droppedShare } = options;
  const chaos = { maxDelayMilliseconds: 1500, doubled: doubledShare, dropped: droppedShare };
  const run = await startLocalRun({
    environment: { [eventChaosVariable]: JSON.stringify(chaos) },
    // Longer than any run.
    context: { tokenLifetimeSeconds: '86400' },
  });
  const soak = new UploadsSoak(run, options);
  try {
    await soak.upload();
    return await soak.check();
  } finally {
    await soak.end();
  }
}

class UploadsSoak {
  readonly #options: SoakOptions;
  readonly #plans: Iterator<Plan>;
  readonly #known: KnownUpload[] = [];
  #run: LocalRun;
  #started = 0;
  #kills = 0;
  #restarting: Promise<void> = Promise.resolve();
  readonly #counts = { abandoned: 0 };

  constructor(run: LocalRun, options: SoakOptions) {
    this.#run = run;
    this.#options = options;
    this.#plans = planUploads(options);
  }

  async upload(): Promise<void> {
    const deployment = await localDeployment(this.#run.stateDirectory);
    const { clients, files } = this.#options;
    const users: ApiUser[] = [];
    for (let index = 0; index < clients; index += 1) {
      users.push(await createApiUser({ deployment, baseUrl: this.#run.baseUrl }));
    }
    const fileIds = await Promise.all(Array.from({ length: files }, async () => users[0]?.newFile() ?? ''));
    await Promise.all(users.map((user) => this.#work(user, fileIds)));
    await this.#restarting;
  }

  async check() {
    const { stateDirectory } = this.#run;
    report('waiting until the last events have been delivered');
    await untilDelivered(stateDirectory);
    // Moves the clock hours ahead until no work is left. A failed upload is checked again an hour later.
    for (const hours of [2, 4, 30, 32]) {
      await this.#run.kill();
      this.#run = await this.#run.restart({ [hoursAheadVariable]: String(hours) });
      const later = await localDeployment(stateDirectory);
      for (let unfinished = true; unfinished; ) {
        // The schedule may reconcile some of the uploads.
        const done = await reconcileUploads(later);
        unfinished = done.unfinished;
        report(`${hours} hours later: ${JSON.stringify(done)}`);
      }
    }
    await untilDelivered(stateDirectory);
    const deployment = await localDeployment(stateDirectory);
    return {
      ...this.#counts,
      reconciled: await countLines(stateDirectory, logMessages.uploadReconciled),
      foundUnused: await countLines(stateDirectory, logMessages.uploadExpired),
      kills: this.#kills,
      violations: [
        ...(await checkStoredState(deployment, this.#known)),
        ...(await checkAnnouncements(stateDirectory, this.#known)),
        ...(await leftToDo(deployment)),
      ],
    };
  }

  async end(): Promise<void> {
    await this.#restarting.catch(() => undefined);
    await this.#run.stop();
  }

  async #work(user: ApiUser, fileIds: readonly string[]): Promise<void> {
    for (let plan = this.#plans.next(); !plan.done; plan = this.#plans.next()) {
      this.#started += 1;
      this.#killWhenDue();
      const { file, body, abandon } = plan.value;
      const fileId = fileIds[file] ?? '';
      const { url, uploadId } = await this.#issue(user, fileId);
      const outcome = abandon ? await this.#abandon(url, body) : await this.#store(url, body);
      this.#known.push({ uploadId, fileId, body: describeBody(body), outcome });
    }
  }

  async #abandon(url: string, body: Buffer): Promise<'abandoned'> {
    await putCutShort(url, body);
    this.#counts.abandoned += 1;
    return 'abandoned';
  }

  /** Retries one URL until the test knows that the bytes are stored. */
  async #store(url: string, body: Buffer): Promise<'stored'> {
    for (let interrupted = false; ; interrupted = true) {
      const status = await fetch(url, { method: 'PUT', body }).then((response) => response.status, gone);
      // A 412 means that the killed process lost the response: the first attempt had stored the bytes.
      if (status === 200 || (status === 412 && interrupted)) {
        return 'stored';
      }
      if (status !== undefined) {
        throw new Error(`A first PUT got ${status}`);
      }
      await this.#whenServing();
    }
  }

  /**
   * Retries the request for a URL while the process is down, or responds with 5xx because it ends or starts.
   */
  async #issue(user: ApiUser, fileId: string): Promise<IssuedUrl> {
    for (;;) {
      const issued = await user.issue(fileId).catch((error: unknown) => {
        if (error instanceof Error && /: 4\d\d$/.test(error.message)) {
          throw error;
        }
      });
      if (issued !== undefined) {
        return issued;
      }
      await this.#whenServing();
    }
  }

  async #whenServing(): Promise<void> {
    await delay(20);
    await this.#restarting;
  }

  #killWhenDue(): void {
    const due = ((this.#kills + 1) * this.#options.uploads) / (this.#options.kills + 1);
    if (this.#kills >= this.#options.kills || this.#started < due) {
      return;
    }
    this.#kills += 1;
    report(`kill ${this.#kills} after ${this.#started} uploads were begun`);
    this.#restarting = this.#restarting.then(async () => {
      await this.#run.kill();
      this.#run = await this.#run.restart();
    });
  }
}

const gone = () => undefined;

/** Announces the whole body, sends a part of it and closes the connection. */
function putCutShort(url: string, body: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const headers = { 'content-length': body.length };
    const outgoing = request(url, { method: 'PUT', headers, agent: false });
    // A request destroyed in the middle ends with an error.
    outgoing.on('error', gone);
    outgoing.once('close', resolve);
    outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
  });
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

/** Counts the log lines of the functions with a message. */
async function countLines(stateDirectory: string, message: string): Promise<number> {
  const folder = join(stateDirectory, 'logs');
  const logs = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  return logs.join('').split(`"message":"${message}"`).length - 1;
}
