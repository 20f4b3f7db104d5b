import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { getClient } from '../../../tools/operator/clients.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { getFile } from '../../../tools/operator/files.ts';
import { getUpload, listUploads } from '../../../tools/operator/uploads.ts';
import { events, rotation } from '../../../tools/verify/checks/life-of-uploads.ts';
import { probes } from '../../../tools/verify/probes/probes.ts';
import { runVerify } from '../../../tools/verify/program.ts';
import { type Made, removeFixtures } from '../../../tools/verify/world/fixtures.ts';
import { openWorld } from '../../../tools/verify/world/open-world.ts';
import { outcomeOf } from '../../../tools/verify/world/outcome.ts';
import type { World } from '../../../tools/verify/world/world.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';
import { TextCollector } from '../../support/text-stream.ts';
import { disturbances, disturbedParts } from './disturbances.ts';

/** `npm run verify` on one local run: what holds, and what it says when a fact does not. */

let run: LocalRun;
let deployment: Deployment;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-verify-'));
  run = await startLocalRun();
  deployment = await localDeployment(run.stateDirectory);
});
afterAll(async () => {
  await run?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Verified {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly page: string;
  /** By the name of the part or the fact. */
  readonly verdicts: ReadonlyMap<string, string>;
}

interface VerifyOptions {
  readonly disturb?: (world: World) => World;
  readonly signal?: AbortSignal;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

async function verify(parameters: readonly string[], options: VerifyOptions = {}): Promise<Verified> {
  const page = join(folder, 'report.md');
  const target = ['--local', '--state', run.stateDirectory, '--report', page];
  const answer = await call([...parameters, ...target], options);
  const lines = answer.stdout.matchAll(/^(holds|does not hold|not checked|left out) +([\w-]+)[ :]/gm);
  return {
    ...answer,
    page: await readFile(page, 'utf8'),
    verdicts: new Map([...lines].map(([, verdict = '', name = '']) => [name, verdict])),
  };
}

async function call(parameters: readonly string[], options: VerifyOptions = {}) {
  const stdout = new TextCollector({ isTTY: false });
  const stderr = Object.assign(new PassThrough(), { isTTY: false });
  const code = await runVerify(parameters, {
    stdin: new PassThrough(),
    stdout,
    stderr,
    env: {},
    openLocal: localDeployment,
    openStack: async () => deployment,
    sleep: noWait,
    signal: new AbortController().signal,
    ...options,
  });
  return { code, stdout: stdout.text, stderr: (stderr.read() as Buffer | null)?.toString('utf8') ?? '' };
}

/** Nothing is asked of the service any more when the clean-up begins. */
const noWait = async () => undefined;

describe('a local run', () => {
  let verified: Verified;
  const secrets: string[] = [];

  beforeAll(async () => {
    // `npm test` runs the contract suite and the rows by themselves. A revocation would disturb the other tests here.
    verified = await verify(['--skip', 'contract,upload-url,revocation'], {
      disturb: (world) => {
        void world.token().then((token) => secrets.push(token));
        void world.issue().then(({ url }) => secrets.push(url.parameter('X-Amz-Signature') ?? ''));
        return world;
      },
    });
  });

  it('passes, with a line for each fact in what is printed and in the report', () => {
    expect([verified.code, verified.stderr]).toEqual([
      0,
      expect.not.stringContaining('Could not be removed'),
    ]);
    for (const { fact, must } of probes) {
      expect(verified.stdout).toMatch(new RegExp(`^(holds|not checked) +${fact}: \\S`, 'm'));
      expect(verified.page).toMatch(new RegExp(`^\\| \`${fact}\` \\| ${must ? 'yes' : 'no'} \\| `, 'm'));
    }
  });

  it('has each check and what was left out in the report, with its dates', () => {
    const by = verified.verdicts;
    const checks = ['latency', 'cancel', 'events', 'schedule', 'rotation'];
    expect(checks.map((name) => by.get(name))).toEqual(checks.map(() => 'holds'));
    const left = ['contract', 'upload-url', 'revocation'];
    expect(left.map((name) => by.get(name))).toEqual(left.map(() => 'left out'));
    expect(verified.page).toMatch(/^- Date: 20\d\d-\d\d-\d\dT\S+Z to 20\d\d-/m);
    expect(verified.page).toMatch(/sync \d+, \d+ and \d+ ms/);
  });

  it('leaves no token and no signature in what it writes', () => {
    const written = verified.stdout + verified.stderr + verified.page;
    expect(secrets.filter((secret) => secret.length > 20)).toHaveLength(2);
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
    expect(written).not.toMatch(/X-Amz-Signature=[0-9a-f]|fss_|eyJ/);
  });

  it('says before it begins what it will do', () => {
    expect(verified.stderr).toMatch(/^This verifies the local run\.\n- It makes a client and a file/);
    expect(verified.stderr).toContain('rotates the signing key');
    expect(verified.stderr).not.toContain('revokes the signing key');
  });
});

describe('a fact that does not hold', () => {
  const made: Made = {};
  let world: World;

  beforeAll(async () => {
    world = await openWorld(deployment, { made, rotate: true });
  });
  afterAll(() => removeFixtures(deployment, made, { sleep: noWait, waiting: () => undefined }));

  const lookAt = (fact: string, seen: World) => {
    const probe = probes.find((it) => it.fact === fact);
    return outcomeOf(() => probe?.look(seen) ?? Promise.reject(new Error('no probe')));
  };

  it.each(disturbances)('is found: $fact, when AWS $aws', async ({ fact, disturb, says }) => {
    const { verdict, seen } = await lookAt(fact, disturb(world));
    expect([verdict, seen]).toEqual(['does not hold', expect.stringMatching(says)]);
  });

  it.each(disturbedParts)('is found in a part: $part, when AWS $aws', async ({ part, disturb, says }) => {
    const check = { events, rotation }[part];
    const { verdict, seen } = await outcomeOf(() => check.look(disturb(world)));
    expect([verdict, `: ${seen}`]).toEqual(['does not hold', expect.stringMatching(says)]);
  });

  it('has a test for each probe', () => {
    const tested = new Set(disturbances.map(({ fact }) => fact));
    expect(probes.filter(({ fact }) => !tested.has(fact))).toEqual([]);
  });

  it('is not taken for one that could not be looked at', async () => {
    const denied = { name: 'AccessDeniedException', message: 'not authorized to perform: GetSecretValue' };
    const limited = { ...world.operator, tryToReadPrivateKeys: async () => denied };
    const { verdict, seen } = await lookAt('kms-key-policy', { ...world, operator: limited });
    expect([verdict, seen]).toEqual(['not checked', expect.stringContaining('as an administrator')]);
  });
});

test('five facts that do not hold make the command fail, and the report names them', async () => {
  const false_ = [
    's3-if-none-match-query',
    'kms-key-policy',
    'dynamodb-conditional-failure',
    'http-api-largest-head',
    'http-api-challenge-header',
  ];
  const chosen = false_.flatMap((fact) => disturbances.find((it) => it.fact === fact) ?? []);
  const disturb = (world: World) => chosen.reduce((before, one) => one.disturb(before), world);
  const only = [...false_, 'http-api-not-found'].join(',');
  const { code, stdout, verdicts } = await verify(['--only', only], { disturb });
  expect(code).toBe(1);
  const notHeld = [...verdicts].flatMap(([name, verdict]) => (verdict === 'does not hold' ? [name] : []));
  expect(notHeld.sort()).toEqual([...false_].sort());
  expect(verdicts.get('http-api-not-found')).toBe('holds');
  expect(stdout).toContain('does not hold  http-api-challenge-header (it need not)');
});

test('a fact that need not hold does not make the command fail', async () => {
  const dropped = disturbances.find(({ fact }) => fact === 'http-api-challenge-header');
  const { code, verdicts } = await verify(['--only', 'http-api-challenge-header'], {
    disturb: dropped?.disturb ?? ((world) => world),
  });
  expect([code, verdicts.get('http-api-challenge-header')]).toEqual([0, 'does not hold']);
});

test('a probe that throws does not stop the others, and something that must hold is not known to', async () => {
  const disturb = (world: World): World => ({
    ...world,
    operator: { ...world.operator, content: () => Promise.reject(new Error('no network')) },
  });
  const only = 's3-conditional-conflict,http-api-not-found';
  const { code, verdicts: by } = await verify(['--only', only], { disturb });
  expect([code, by.get('s3-conditional-conflict'), by.get('http-api-not-found')]).toEqual([
    1,
    'not checked',
    'holds',
  ]);
});

test('what was made is deleted, also when the run is stopped', async () => {
  const stop = new AbortController();
  const clients: string[] = [];
  const disturb = (world: World): World => {
    clients.push(world.fileId);
    return {
      ...world,
      http: async (origin, question) => {
        const answer = await world.http(origin, question);
        stop.abort();
        return answer;
      },
    };
  };
  const { code, stdout, stderr } = await verify(['--only', 's3-unsigned-header,s3-consistency'], {
    disturb,
    signal: stop.signal,
  });
  expect([code, stdout]).toEqual([130, expect.stringMatching(/^The run was stopped\./m)]);
  expect(stderr).not.toContain('Could not be removed');
  const [fileId = ''] = clients;
  const file = await getFile(deployment, fileId);
  expect([file.deleted_at, file.delete_after]).toEqual([expect.any(String), expect.any(String)]);
  expect(stderr).toContain(`do it with: organisation delete ${file.organisation_id}`);
  let uploads = 0;
  for await (const page of listUploads(deployment, { fileId })) {
    for (const upload of page) {
      uploads += 1;
      const client = await getClient(deployment, upload.client_id);
      expect([client.status, client.secrets]).toEqual(['revoked', []]);
      expect(client.delete_after).toEqual(expect.any(String));
      // The event of a PUT that came just before the end can be late.
      const state = async () => (await getUpload(deployment, upload.upload_id)).state;
      await expect.poll(state).not.toBe('issued');
      expect(upload.deleted_at).toEqual(expect.any(String));
    }
  }
  expect(uploads).toBeGreaterThan(0);
});

test('what could not be deleted is said, with the command that does it', async () => {
  let organisationId = '';
  const disturb = (world: World): World => ({
    ...world,
    issue: async () => {
      organisationId = (await getFile(deployment, world.fileId)).organisation_id;
      return world.issue();
    },
  });
  const sleep = () => Promise.reject(new Error('no network'));
  const { stderr, page } = await verify(['--only', 's3-unsigned-header'], { disturb, sleep });
  const said = `organisation ${organisationId} (no network). Delete it with: organisation delete ${organisationId}`;
  expect(stderr).toContain(`Could not be removed: What is left of ${said}`);
  expect(page).toContain(said);
});

test.each([
  [[], 'give --stack NAME, --local'],
  [['--local', '--base-url', 'http://127.0.0.1:9'], 'give --base-url, --stack or --local'],
  [['--local', '--stack', 'dev'], 'either --stack or --local'],
  [['--local', '--skip', 'rotations'], 'neither a part nor a fact'],
  [['--local', '--report', '/nowhere/report.md'], 'cannot be written'],
  [['--locale'], 'unknown option'],
  [['--stack', 'dev'], 'add --yes'],
] as const)('invalid arguments %j end it with 2 before anything is made', async (parameters, says) => {
  const { code, stdout, stderr } = await call(parameters);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(says)]);
});
