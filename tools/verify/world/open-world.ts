import { setTimeout as sleep } from 'node:timers/promises';
import { uploadIdOf } from '../../../storage/object-key.ts';
import { exchange } from '../../../test/contract/support/http.ts';
import { UploadUrl } from '../../../test/contract/support/upload-url.ts';
import { fetchToken } from '../../../test/support/fetch-token.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { type Fixtures, type Made, makeFixtures } from './fixtures.ts';
import { observeEvents } from './observe-events.ts';
import { observeRotation } from './observe-rotation.ts';
import { openOperator } from './operator.ts';
import { LeftOut } from './outcome.ts';
import { ask, type Issued, type Reach } from './reach.ts';
import type { World } from './world.ts';

export interface WorldOptions {
  /** Absent for a local run. */
  readonly stackName?: string;
  readonly made: Made;
  /** Whether the signing key may be rotated. */
  readonly rotate: boolean;
}

/** Makes a client and a file, and gives the deployment to the probes. */
export async function openWorld(deployment: Deployment, options: WorldOptions): Promise<World> {
  const { made, stackName, rotate } = options;
  const operator = await openOperator(deployment, stackName);
  const { client, fileId } = await makeFixtures(deployment, made);
  const baseUrl = deployment.outputs.BaseUrl;
  const token = () => fetchToken(baseUrl, client);
  const reach: Reach = {
    baseUrl,
    fileId,
    http: exchange,
    token,
    issue: issuer({ baseUrl, fileId }, keptFor(tokenMilliseconds, token)),
    operator,
    sleep,
    now: Date.now,
  };
  return {
    ...reach,
    events: once(() => observeEvents(reach)),
    rotation: once(() => {
      if (!rotate) {
        return Promise.reject(new LeftOut('No rotation was made (--skip rotation).'));
      }
      return observeRotation(reach);
    }),
  };
}

/** Issues upload URLs with one token. */
function issuer(
  { baseUrl, fileId }: Pick<Fixtures, 'fileId'> & { readonly baseUrl: string },
  token: () => Promise<string>,
) {
  return async (): Promise<Issued> => {
    const headers = { authorization: `Bearer ${await token()}` };
    const path = `/v0/files/${fileId}/sync`;
    const answer = await ask({ baseUrl, http: exchange }, { method: 'POST', path, headers });
    if (answer.status !== 200) {
      throw new Error(`The sync endpoint answered ${answer.status}.`);
    }
    const { data } = JSON.parse(answer.text) as { readonly data: { readonly upload_url: string } };
    const url = new UploadUrl(data.upload_url);
    const key = /uploads\/[^/]+$/.exec(decodeURIComponent(url.path))?.[0] ?? '';
    const uploadId = uploadIdOf(key);
    if (uploadId === undefined) {
      throw new Error('The upload URL does not name an upload of this service.');
    }
    return { url, uploadId, key };
  };
}

/** Half of the shortest lifetime that a deployment can give its tokens. */
const tokenMilliseconds = 30_000;

function keptFor(milliseconds: number, make: () => Promise<string>): () => Promise<string> {
  let value: Promise<string> | undefined;
  let madeAt = 0;
  return () => {
    if (value === undefined || Date.now() - madeAt > milliseconds) {
      madeAt = Date.now();
      value = make();
    }
    return value;
  };
}

/** Runs `work` at the first call, and gives its outcome to every later one. */
function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let outcome: Promise<Value> | undefined;
  return () => {
    outcome ??= work();
    return outcome;
  };
}
