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
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
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
  /** PUTs that ended without an answer because the process was killed. */
  readonly interrupted: number;
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
    await soak.provision();
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
  readonly #clients: ApiClient[] = [];
  #fileIds: readonly string[] = [];
  #run: LocalRun;
  #started = 0;
  #killed = 0;
  #restarting: Promise<void> = Promise.resolve();
  readonly #counts = { answered200: 0, storedBeforeKill: 0, abandoned: 0, interrupted: 0 };

  constructor(run: LocalRun, options: SoakOptions) {
    this.#run = run;
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  async provision(): Promise<void> {
    const deployment = await localDeployment(this.#run.stateDirectory);
    for (let index = 0; index < this.#options.clients; index += 1) {
      const client = await createClient(deployment, {
        organisationId: 'acme',
        name: `Soak ${index}`,
        scopes: ['sync:create'],
      });
      const credentials = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
      this.#clients.push({ credentials, token: '' });
    }
    const files = Array.from({ length: this.#options.files }, (_, index) =>
      createFile(deployment, { organisationId: 'acme', name: `soak-${index}.bin`, syncEnabled: true }),
    );
    this.#fileIds = (await Promise.all(files)).map((file) => file.file_id);
  }

  async upload(): Promise<void> {
    await Promise.all(this.#clients.map((client) => this.#work(client)));
    await this.#restarting;
  }

  async check(): Promise<SoakResult> {
    const { stateDirectory } = this.#run;
    const deployment = await localDeployment(stateDirectory);
    this.#options.report('waiting until the last events have been delivered');
    await untilDelivered(stateDirectory);
    const { reconciled, foundUnused } = await this.#passTime(deployment);
    await untilDelivered(stateDirectory);
    const { violations, ...check } = await checkStoredState(deployment, this.#known);
    const announcements = await checkAnnouncements(stateDirectory, this.#known);
    return {
      ...check,
      ...this.#counts,
      kills: this.#killed,
      reconciled,
      foundUnused,
      announced: announcements.counts,
      violations: [...violations, ...announcements.violations, ...(await leftToDo(deployment))],
    };
  }

  /** Lets the service look at what is due, as of hours that have not come yet, until nothing is left to do. */
  async #passTime(deployment: Deployment): Promise<{ reconciled: number; foundUnused: number }> {
    const counts = { reconciled: 0, foundUnused: 0 };
    const hour = 3_600_000;
    for (const hours of [2, 4, 30]) {
      for (;;) {
        const report = await reconcileUploads(deployment, new Date(Date.now() + hours * hour));
        counts.reconciled += report.recorded;
        counts.foundUnused += report.expired;
        this.#options.report(`${hours} hours later: ${JSON.stringify(report)}`);
        if (!report.unfinished) {
          break;
        }
      }
    }
    return counts;
  }

  async end(): Promise<void> {
    await this.#restarting.catch(() => undefined);
    await this.#run.stop();
  }

  async #work(client: ApiClient): Promise<void> {
    while (this.#started < this.#options.uploads) {
      this.#started += 1;
      this.#killWhenDue();
      const fileId = this.#fileIds[randomInteger(this.#random, this.#fileIds.length)] ?? '';
      const body = randomBytes(this.#random, randomInteger(this.#random, this.#options.largestUpload + 1));
      const abandon = body.length > 1 && this.#random() < this.#options.abandonedShare;
      const url = await this.#requestUploadUrl(client, fileId);
      const outcome = abandon ? await this.#abandon(url, body) : await this.#store(url, body);
      this.#known.push({
        uploadId: new URL(url).pathname.split('/').at(-1) ?? '',
        fileId,
        sha256: createHash('sha256').update(body).digest('hex'),
        size: body.length,
        outcome,
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
        this.#counts.interrupted += 1;
        await this.#whenServing();
      } else if (outcome.status === 200) {
        this.#counts.answered200 += 1;
        return 'stored';
      } else if (outcome.status === 412 && interrupted) {
        this.#counts.storedBeforeKill += 1;
        return 'stored';
      } else {
        throw new Error(`A first PUT got ${outcome.status}`);
      }
    }
  }

  async #requestUploadUrl(client: ApiClient, fileId: string): Promise<string> {
    for (;;) {
      const response = await this.#api(`/v0/files/${fileId}/sync`, `Bearer ${client.token}`);
      if (response?.status === 200) {
        const body = (await response.json()) as { data: { upload_url: string } };
        return body.data.upload_url;
      }
      if (response?.status === 401) {
        await this.#requestToken(client);
      } else if (response !== undefined && response.status < 500) {
        throw new Error(`No upload URL: ${response.status}`);
      } else {
        await this.#whenServing();
      }
    }
  }

  async #requestToken(client: ApiClient): Promise<void> {
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    const response = await this.#api('/oauth/token', `Basic ${client.credentials}`, form);
    if (response?.status === 200) {
      client.token = ((await response.json()) as { access_token: string }).access_token;
    } else if (response !== undefined && response.status < 500) {
      throw new Error(`No token: ${response.status}`);
    } else {
      await this.#whenServing();
    }
  }

  /** The answer, or undefined when the process is gone. */
  async #api(path: string, authorization: string, body?: URLSearchParams): Promise<Response | undefined> {
    try {
      const init = { method: 'POST', headers: { authorization }, ...(body === undefined ? {} : { body }) };
      return await fetch(`${this.#run.baseUrl}${path}`, init);
    } catch {
      return undefined;
    }
  }

  async #whenServing(): Promise<void> {
    await delay(20);
    await this.#restarting;
  }

  #killWhenDue(): void {
    const due = ((this.#killed + 1) * this.#options.uploads) / (this.#options.kills + 1);
    if (this.#killed >= this.#options.kills || this.#started < due) {
      return;
    }
    this.#killed += 1;
    const before = this.#started;
    this.#restarting = this.#restarting.then(() => this.#killAndRestart(before));
  }

  async #killAndRestart(started: number): Promise<void> {
    this.#options.report(
      `kill ${this.#killed} of ${this.#options.kills} after ${started} uploads were begun`,
    );
    await this.#run.kill();
    this.#run = await this.#run.restart();
  }
}

/** The emulator keeps each event in a file until its function has taken it or it was given up (packages/emulator/events/outbox.ts). */
async function untilDelivered(stateDirectory: string): Promise<void> {
  while ((await readdir(join(stateDirectory, 'aws', 'events'))).length > 0) {
    await delay(100);
  }
}
