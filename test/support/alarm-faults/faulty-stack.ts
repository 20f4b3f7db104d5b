import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DeleteFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { createClient } from '../../../cli/operations/clients.ts';
import { createFile } from '../../../cli/operations/files.ts';
import { replayUploads } from '../../../cli/operations/replay-uploads.ts';
import type { AlarmChange } from '../../../emulator/cloudwatch/alarms.ts';
import { type Faults, setFaults } from '../../../emulator/endpoint/faults.ts';
import { type Clock, createClock } from '../../../emulator/shared/clock.ts';
import type { Resource } from '../../../emulator/shared/resource-type.ts';
import { fetchToken } from '../fetch-token.ts';
import { type RunningStack, type RunningStackOptions, startRunningStack } from '../running-stack.ts';

/** The functions that can be let down, and how their logical IDs begin. */
const functionIds = {
  token: 'TokenFunction',
  volumes: 'VolumesFunction',
  sync: 'SyncFunction',
  'well-known': 'WellKnownFunction',
  recorder: 'RecorderRecordFunction',
  rotation: 'RotationRotateFunction',
  reconciler: 'ReconcilerReconcileFunction',
} as const;

export type FunctionPart = keyof typeof functionIds;

/** The functions behind the API. */
export const apiParts = ['token', 'volumes', 'sync', 'well-known'] as const satisfies readonly FunctionPart[];

export type ApiPart = (typeof apiParts)[number];

const organisationId = 'acme';

/** An upload is due when its URL has expired and some minutes have passed (storage/upload-due.ts). */
const hourAndMargin = 80 * 60_000;

/** The whole stack with its alarms, and the ways in which a test uses it and lets it down. */
export interface FaultyStack {
  readonly stack: RunningStack;
  readonly clock: Clock;
  /** Every change of an alarm so far, the oldest first. */
  readonly changes: readonly AlarmChange[];
  /** Functions that have logged an error, in the order of the errors. */
  readonly errors: readonly string[];
  /** Physical name of a function. */
  readonly functionName: (part: FunctionPart) => string;
  readonly setFaults: (faults: Faults) => void;
  /** Sets how many invocations of a function may run; undefined ends that. */
  readonly reserve: (part: FunctionPart, concurrency: number | undefined) => Promise<void>;
  /** Puts this code in place of a function's, as a release does; without code, puts its own back. */
  readonly release: (part: FunctionPart, code?: string) => Promise<void>;
  /** Takes resources with permissions away; without a choice, gives all back. */
  readonly takeAway: (isTaken?: (resource: Resource) => boolean) => void;
  /** Asks for a token, and answers with the status. */
  readonly requestToken: () => Promise<number>;
  /** Has a function behind the API serve a request with this token, or a new one. Answers with the status. */
  readonly request: (part: ApiPart, token?: string) => Promise<number>;
  /** Asks for an upload URL with this token, or a new one. */
  readonly sync: (token?: string) => Promise<Response>;
  readonly token: () => Promise<string>;
  /** @throws {Error} when there is no URL */
  readonly issueUrl: () => Promise<string>;
  /** Stores a file, and waits until its event is recorded or given up. */
  readonly upload: (url: string, body?: string) => Promise<void>;
  /** From now on, events get lost before they reach anything, or do so no longer. */
  readonly loseEvents: (lost: boolean) => void;
  /** Runs the reconciliation as of a time at which every URL that was issued so far has expired. */
  readonly reconcile: () => Promise<void>;
  /** Replays the dead letters, as an operator does. */
  readonly replay: () => Promise<void>;
  /** Moves the time ahead minute by minute, and evaluates the alarms each time. */
  readonly pass: (minutes: number) => Promise<void>;
  readonly evaluate: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Waits between attempts of Lambda to have an event recorded. There is time enough to mend something, and to move the
 * clock.
 */
const eventBackoff = { firstMilliseconds: 1000, longestMilliseconds: 2000 };

/** Starts the stack with somebody to notify. */
export async function startFaultyStack(
  options: Omit<
    RunningStackOptions,
    'clock' | 'eventBackoff' | 'eventChaos' | 'onAlarm' | 'onFunctionError'
  > = {},
): Promise<FaultyStack> {
  const clock = createClock();
  const eventChaos = { maximumDelayMilliseconds: 0, doubled: 0, dropped: 0 };
  const changes: AlarmChange[] = [];
  const errors: string[] = [];
  const stack = await startRunningStack({
    ignoresIfNoneMatch: true,
    ...options,
    context: { alarmEmail: 'operator@example.com', ...options.context },
    clock,
    eventBackoff,
    eventChaos,
    onAlarm: (change) => changes.push(change),
    onFunctionError: (name) => errors.push(name),
  });
  const evaluate = () => stack.evaluateAlarms(new Date(clock.now()));
  const functionName = (part: FunctionPart) => findFunction(stack.resources, functionIds[part]);
  return {
    stack,
    clock,
    changes,
    errors,
    functionName,
    setFaults: (faults) => setFaults(stack.stateDirectory, faults),
    reserve: (part, concurrency) => reserve(stack, functionName(part), concurrency),
    release: (part, code) => release(stack, functionName(part), code),
    takeAway: (isTaken = () => false) =>
      stack.usePolicies(stack.resources.filter((resource) => !isTaken(resource))),
    ...(await createUser(stack)),
    loseEvents: (lost) => {
      eventChaos.dropped = lost ? 1 : 0;
    },
    reconcile: () => stack.runSchedules(new Date(clock.now() + hourAndMargin)),
    replay: () => replay(stack),
    pass: async (minutes) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.advance(60_000);
        await evaluate();
      }
    },
    evaluate,
    close: stack.close,
  };
}

/** Waits until something holds. It asks again and again, since nothing tells when. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const patience = 20_000;
  const end = performance.now() + patience;
  while (!(await holds())) {
    if (performance.now() > end) {
      throw new Error(`${what}: that did not come true within ${patience} ms`);
    }
    await delay(20);
  }
}

function findFunction(resources: readonly Resource[], id: string): string {
  const found = resources.find(
    ({ type, logicalId }) => type === 'AWS::Lambda::Function' && logicalId.startsWith(id),
  );
  if (found === undefined) {
    throw new Error(`the template has no function ${id}`);
  }
  return found.ref;
}

async function reserve(
  { deployment }: RunningStack,
  FunctionName: string,
  concurrency: number | undefined,
): Promise<void> {
  const lambda = new LambdaClient(deployment.awsConfig);
  await (concurrency === undefined
    ? lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }))
    : lambda.send(
        new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: concurrency }),
      ));
  lambda.destroy();
}

const codeSchema = v.object({ Code: v.object({ S3Key: v.string() }) });

/** The module of a function's bundle, beside which its own code is kept. The next invocation loads it. */
async function release(stack: RunningStack, name: string, code: string | undefined): Promise<void> {
  const { properties } = stack.resources.find(({ ref }) => ref === name) ?? {};
  const hash = v.parse(codeSchema, properties).Code.S3Key.replace(/\.zip$/, '');
  const path = join(stack.stateDirectory, 'cdk.out', `asset.${hash}`, 'index.mjs');
  const kept = `${path}.kept`;
  await (code === undefined ? rename(kept, path) : rename(path, kept).then(() => writeFile(path, code)));
  await stack.cool([name]);
}

type User = Pick<FaultyStack, 'requestToken' | 'request' | 'token' | 'sync' | 'issueUrl' | 'upload'>;

/** A client that does what clients do, each time with a new file. */
async function createUser(stack: RunningStack): Promise<User> {
  const { deployment, baseUrl } = stack;
  const { client_id: clientId, client_secret: clientSecret } = await createClient(deployment, {
    organisationId,
    name: 'Test',
    scopes: ['sync:create', 'volume:read'],
  });
  const token = () => fetchToken(baseUrl, { clientId, clientSecret });
  const sync = async (known?: string) => {
    const { file_id } = await createFile(deployment, { organisationId, name: 'f.bin', syncEnabled: true });
    const authorization = `Bearer ${known ?? (await token())}`;
    return fetch(`${baseUrl}/v0/files/${file_id}/sync`, { method: 'POST', headers: { authorization } });
  };
  const requestToken = async () => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const body = new URLSearchParams(form);
    return (await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body })).status;
  };
  return {
    token,
    sync,
    requestToken,
    request: async (part, known) => {
      switch (part) {
        case 'token':
          return requestToken();
        case 'sync':
          return (await sync(known)).status;
        case 'volumes': {
          const authorization = `Bearer ${known ?? (await token())}`;
          return (await fetch(`${baseUrl}/v0/volumes`, { headers: { authorization } })).status;
        }
        case 'well-known':
          return (await fetch(`${baseUrl}/.well-known/jwks.json`)).status;
      }
    },
    issueUrl: async () => {
      const answer = await sync();
      if (!answer.ok) {
        throw new Error(`no upload URL: ${answer.status}`);
      }
      return ((await answer.json()) as { data: { upload_url: string } }).data.upload_url;
    },
    upload: async (url, body = 'content') => {
      const { ok, status } = await fetch(url, { method: 'PUT', body });
      if (!ok) {
        throw new Error(`the upload was refused: ${status}`);
      }
      await stack.eventsSettled();
    },
  };
}

async function replay({ deployment }: RunningStack): Promise<void> {
  const { failed, left = 0 } = await replayUploads(deployment, {
    onFailure: () => undefined,
    onThrottled: () => undefined,
    sleep: delay,
  });
  if (failed + left > 0) {
    throw new Error(`${failed} dead letters could not be replayed, and ${left} are left`);
  }
}
