/**
 * Many clients upload at the same time while events are delayed, doubled, shuffled and lost, and the local run is killed
 * and restarted. Then the hours pass at which the service looks at what is due, and every upload, file and announcement is
 * compared with what the clients know.
 */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventChaosVariable } from '../../../tools/local/run.ts';
import { createClient } from '../../../tools/operator/clients.ts';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { createFile } from '../../../tools/operator/files.ts';
import { reconcileUploads } from '../../../tools/operator/reconcile-uploads.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';
import { put, putCutShort } from '../put.ts';
import { checkStoredState, type KnownUpload, leftToDo, type SoakCheck } from '../stored-state.ts';
import { checkAnnouncements } from './announcements.ts';
import { randomBytes, randomInteger, seededRandom } from './random.ts';

export interface SoakOptions {
  readonly uploads: number;
  readonly clients: number;
  readonly files: number;
  readonly kills: number;
  /** In bytes. */
  readonly largestUpload: number;
  /** Part of the uploads that are cut short and never tried again, from 0 to 1. */
  readonly abandonedShare: number;
  /** Part of the events that are delivered twice, and part that never comes, from 0 to 1. */
  readonly doubledShare: number;
  readonly droppedShare: number;
  readonly seed: number;
  readonly report: (line: string) => void;
}

export interface SoakResult extends SoakCheck {
  readonly answered200: number;
  /** The answer was lost with the killed process; the second attempt got 412: the first one had been stored. */
  readonly storedBeforeKill: number;
  readonly abandoned: number;
  readonly kills: number;
  /** Uploads whose events were lost, and that the service recorded when they were due. */
  readonly reconciled: number;
  /** Uploads that the service found unused when they were due. */
  readonly foundUnused: number;
  /** Uploads by how often `Upload Completed` was sent for them. */
  readonly announced: string;
}

interface ApiClient {
  readonly credentials: string;
  token: string;
}

export async function runUploadsSoak(options: SoakOptions): Promise<SoakResult> {
  const { doubledShare, droppedShare } = options;
  const chaos = { maximumDelayMilliseconds: 1500, doubled: doubledShare, dropped: droppedShare };
  const run = await startLocalRun({ environment: { [eventChaosVariable]: JSON.stringify(chaos) } });
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
  readonly #random: () => number;
  readonly #known: KnownUpload[] = [];
  #run: LocalRun;
  #started = 0;
  #kills = 0;
  #restarting: Promise<void> = Promise.resolve();
  readonly #counts = { answered200: 0, storedBeforeKill: 0, abandoned: 0 };

  constructor(run: LocalRun, options: SoakOptions) {
    this.#run = run;
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  async upload(): Promise<void> {
    const deployment = await localDeployment(this.#run.stateDirectory);
    const fileIds: string[] = [];
    for (let index = 0; index < this.#options.files; index += 1) {
      const file = { organisationId: 'acme', name: `soak-${index}.bin`, syncEnabled: true };
      fileIds.push((await createFile(deployment, file)).file_id);
    }
    const clients: ApiClient[] = [];
    for (let index = 0; index < this.#options.clients; index += 1) {
      const named = { organisationId: 'acme', name: `Soak ${index}`, scopes: ['sync:create'] } as const;
      const { client_id, client_secret } = await createClient(deployment, named);
      clients.push({
        credentials: Buffer.from(`${client_id}:${client_secret}`).toString('base64'),
        token: '',
      });
    }
    await Promise.all(clients.map((client) => this.#work(client, fileIds)));
    await this.#restarting;
  }

  async check(): Promise<SoakResult> {
    const { stateDirectory } = this.#run;
    const deployment = await localDeployment(stateDirectory);
    this.#options.report('waiting until the last events have been delivered');
    await untilDelivered(stateDirectory);
    const found = { reconciled: 0, foundUnused: 0 };
    // As of hours that have not come yet, until nothing is left to do. An upload that fails is looked at again an hour later.
    for (const hours of [2, 4, 30, 32]) {
      for (let unfinished = true; unfinished; ) {
        const report = await reconcileUploads(deployment, new Date(Date.now() + hours * 3_600_000));
        found.reconciled += report.recorded;
        found.foundUnused += report.expired;
        unfinished = report.unfinished;
        this.#options.report(`${hours} hours later: ${JSON.stringify(report)}`);
      }
    }
    await untilDelivered(stateDirectory);
    const { violations, ...check } = await checkStoredState(deployment, this.#known);
    const announcements = await checkAnnouncements(stateDirectory, this.#known);
    return {
      ...check,
      ...this.#counts,
      ...found,
      kills: this.#kills,
      announced: announcements.counts,
      violations: [...violations, ...announcements.violations, ...(await leftToDo(deployment))],
    };
  }

  async end(): Promise<void> {
    await this.#restarting.catch(() => undefined);
    await this.#run.stop();
  }

  async #work(client: ApiClient, fileIds: readonly string[]): Promise<void> {
    while (this.#started < this.#options.uploads) {
      this.#started += 1;
      this.#killWhenDue();
      const fileId = fileIds[randomInteger(this.#random, fileIds.length)] ?? '';
      const body = randomBytes(this.#random, randomInteger(this.#random, this.#options.largestUpload + 1));
      const abandon = body.length > 1 && this.#random() < this.#options.abandonedShare;
      const url = await this.#requestUploadUrl(client, fileId);
      this.#known.push({
        uploadId: new URL(url).pathname.split('/').at(-1) ?? '',
        fileId,
        sha256: createHash('sha256').update(body).digest('hex'),
        size: body.length,
        outcome: abandon ? await this.#abandon(url, body) : await this.#store(url, body),
      });
    }
  }

  async #abandon(url: string, body: Buffer): Promise<'abandoned'> {
    const outcome = await putCutShort(url, body);
    if (outcome !== 'interrupted' && outcome.status < 400) {
      throw new Error(`A PUT that was cut short got ${outcome.status}`);
    }
    this.#counts.abandoned += 1;
    return 'abandoned';
  }

  /** Tries one URL until it is known whether the bytes were stored. */
  async #store(url: string, body: Buffer): Promise<'stored'> {
    let interrupted = false;
    for (;;) {
      const outcome = await put(url, body);
      if (outcome === 'interrupted') {
        interrupted = true;
        await this.#whenServing();
      } else if (outcome.status === 200 || (outcome.status === 412 && interrupted)) {
        this.#counts[outcome.status === 200 ? 'answered200' : 'storedBeforeKill'] += 1;
        return 'stored';
      } else {
        throw new Error(`A first PUT got ${outcome.status}`);
      }
    }
  }

  async #requestUploadUrl(client: ApiClient, fileId: string): Promise<string> {
    for (;;) {
      const answer = await this.#post(`/v0/files/${fileId}/sync`, `Bearer ${client.token}`);
      if (answer?.status === 200) {
        return (answer.body as { readonly data: { readonly upload_url: string } }).data.upload_url;
      }
      if (answer?.status !== 401) {
        continue;
      }
      const form = new URLSearchParams({ grant_type: 'client_credentials' });
      const granted = await this.#post('/oauth/token', `Basic ${client.credentials}`, form);
      if (granted?.status === 200) {
        client.token = (granted.body as { readonly access_token: string }).access_token;
      }
    }
  }

  /** @returns a 200 or a 401; undefined when the process is gone, or answers 5xx because it ends or starts */
  async #post(path: string, authorization: string, body?: URLSearchParams) {
    const init = { method: 'POST', headers: { authorization }, ...(body === undefined ? {} : { body }) };
    const answer = await fetch(`${this.#run.baseUrl}${path}`, init).then(
      async (response) => ({ status: response.status, body: (await response.json()) as unknown }),
      () => undefined,
    );
    if (answer === undefined || answer.status >= 500) {
      await this.#whenServing();
      return undefined;
    }
    if (answer.status !== 200 && answer.status !== 401) {
      throw new Error(`${path} was answered ${answer.status}`);
    }
    return answer;
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
    this.#options.report(
      `kill ${this.#kills} of ${this.#options.kills} after ${this.#started} uploads were begun`,
    );
    this.#restarting = this.#restarting.then(async () => {
      await this.#run.kill();
      this.#run = await this.#run.restart();
    });
  }
}

/** The emulator keeps each event in a file until its function has taken it or it was given up (packages/emulator/events/outbox.ts). */
async function untilDelivered(stateDirectory: string): Promise<void> {
  while ((await readdir(join(stateDirectory, 'aws', 'events'))).length > 0) {
    await delay(100);
  }
}
