import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getClient } from '../../../tools/operator/clients.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { getFile } from '../../../tools/operator/files.ts';
import { listUploads } from '../../../tools/operator/uploads.ts';
import { awsFacts, checksOf, facts } from '../../../tools/verify/checks/checks.ts';
import { outcomeOf, withoutSecrets } from '../../../tools/verify/outcome.ts';
import { runVerify } from '../../../tools/verify/program.ts';
import { openWorld, type World } from '../../../tools/verify/world.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';
import { TextCollector } from '../../support/text-stream.ts';
import { disturbances } from './disturbances.ts';

/** `npm run verify` on one local run: what holds, and what it says when something does not. */

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

interface VerifyOptions {
  readonly disturb?: (world: World) => World;
  readonly signal?: AbortSignal;
  readonly sleep?: () => Promise<unknown>;
}

async function verify(parameters: readonly string[], options: VerifyOptions = {}) {
  const page = join(folder, 'report.md');
  const target = ['--local', '--state', run.stateDirectory, '--report', page];
  const answer = await call([...parameters, ...target], options);
  const lines = answer.stdout.matchAll(/^(holds|does not hold|not checked|left out) +([\w-]+)[ :]/gm);
  const verdicts = new Map([...lines].map(([, verdict = '', id = '']) => [id, verdict]));
  return { ...answer, page: await readFile(page, 'utf8'), verdicts };
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
    // Nothing is asked of the service any more when the clean-up begins.
    sleep: async () => undefined,
    signal: new AbortController().signal,
    ...options,
  });
  return { code, stdout: stdout.text, stderr: (stderr.read() as Buffer | null)?.toString('utf8') ?? '' };
}

test('docs/aws-facts.md says "yes" to exactly the facts that have a check, and has no row twice', () => {
  const ids = awsFacts.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  const checked = awsFacts.filter(({ isChecked }) => isChecked).map(({ id }) => id);
  expect(facts.map(({ id }) => id).sort()).toEqual(checked.sort());
});

test('a local run passes, with a line for each check in what is printed and in the report, and no secret', async () => {
  const secrets: string[] = [];
  // `npm test` runs the contract suite by itself. A revocation would disturb the other tests here.
  const { code, stdout, stderr, page, verdicts } = await verify(['--skip', 'contract,revocation'], {
    disturb: (world) => ({
      ...world,
      token: async () => {
        const token = await world.token();
        secrets.push(token);
        return token;
      },
      issue: async () => {
        const issued = await world.issue();
        secrets.push(issued.url.searchParams.get('X-Amz-Signature') ?? '');
        return issued;
      },
    }),
  });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('Could not be removed')]);
  const checks = checksOf({ kind: 'stack', name: 'dev' });
  expect([...verdicts.keys()]).toEqual(checks.map(({ id }) => id));
  const left = [...verdicts].flatMap(([id, verdict]) => (verdict === 'left out' ? [id] : []));
  expect(left).toEqual(['contract', 'revocation']);
  expect(checks.filter(({ id }) => !new RegExp(`^\\| \`?${id}\`? \\| `, 'm').test(page))).toEqual([]);
  expect(page).toMatch(/^- Date: 20\d\d-\d\d-\d\dT\S+Z to 20\d\d-/m);
  expect(secrets.length).toBeGreaterThan(10);
  expect(secrets.filter((secret) => (stdout + stderr + page).includes(secret))).toEqual([]);
  expect(stdout + stderr + page).not.toMatch(/X-Amz-Signature=[0-9a-f]|fss_|eyJ/);
  expect(stderr).toMatch(/^This verifies the local run\.\n- It makes a client and a file/);
  expect(stderr).toContain('rotates the signing key');
  expect(stderr).not.toContain('revokes the signing key');
});

test('whatever does not hold is found, each check by itself', async () => {
  const world = await openWorld(deployment, 'verify-disturbed');
  const checks = checksOf({ kind: 'stack', name: 'dev' });
  for (const [id, disturb, says] of disturbances) {
    const look =
      checks.find((check) => check.id === id)?.look ?? (() => Promise.reject(new Error('No check')));
    const outcome = await outcomeOf(() => look(disturb(world)));
    expect(outcome, id).toEqual({ verdict: 'does not hold', seen: expect.stringMatching(says) });
  }
  const disturbed = disturbances.map(([id]) => id);
  expect(facts.filter(({ id }) => !disturbed.includes(id))).toEqual([]);

  const denied = { name: 'AccessDeniedException', message: 'not authorized to perform: GetSecretValue' };
  const limited = { ...world.operator, tryToReadPrivateKeys: async () => denied };
  const keyPolicy = facts.find(({ id }) => id === 'kms-key-policy');
  const outcome = await outcomeOf(
    async () => keyPolicy?.look({ ...world, operator: limited }) ?? expect.fail(),
  );
  expect(outcome).toEqual({
    verdict: 'not checked',
    seen: expect.stringContaining('as an administrator'),
  });
});

test('facts that do not hold, or throw, make the command fail if they must hold, and stop no other', async () => {
  const of = (id: string) => disturbances.find(([other]) => other === id)?.[1] ?? expect.fail(id);
  const challenge = 'http-api-challenge-header';
  const mild = await verify(['--only', challenge], { disturb: of(challenge) });
  expect([mild.code, mild.verdicts.get(challenge)]).toEqual([0, 'does not hold']);
  expect(mild.stdout).toContain(`does not hold  ${challenge} (it need not)`);

  const ids = ['s3-conditional-conflict', 'kms-key-policy', 'http-api-largest-head', 'http-api-not-found'];
  const { code, stdout, verdicts } = await verify(['--only', ids.join()], {
    disturb: (world) => {
      const disturbed = of('http-api-largest-head')(of('kms-key-policy')(world));
      const content = () => Promise.reject(new Error('no network'));
      return { ...disturbed, operator: { ...disturbed.operator, content } };
    },
  });
  expect(code).toBe(1);
  expect(ids.map((id) => verdicts.get(id))).toEqual([
    'not checked',
    'does not hold',
    'does not hold',
    'holds',
  ]);
  expect(stdout).toContain(`Not everything that must hold does: ${ids.slice(0, 3).join(', ')}.`);
});

test('what was made is deleted, also when the run is stopped', async () => {
  const stop = new AbortController();
  let fileId = '';
  const { code, stdout, stderr } = await verify(['--only', 's3-unsigned-header,s3-consistency'], {
    disturb: (world) => {
      fileId = world.fileId;
      return { ...world, http: (...question) => world.http(...question).finally(() => stop.abort()) };
    },
    signal: stop.signal,
  });
  expect([code, stdout]).toEqual([130, expect.stringMatching(/^The run was stopped\./m)]);
  expect(stderr).not.toContain('Could not be removed');
  const file = await getFile(deployment, fileId);
  expect([file.deleted_at, file.delete_after]).toEqual([expect.any(String), expect.any(String)]);
  expect(stderr).toContain(`do it with: organisation delete ${file.organisation_id}`);
  let uploads = 0;
  for await (const page of listUploads(deployment, { fileId })) {
    for (const upload of page) {
      uploads += 1;
      expect(upload.deleted_at).toEqual(expect.any(String));
      expect(await getClient(deployment, upload.client_id)).toMatchObject({ status: 'revoked', secrets: [] });
    }
  }
  expect(uploads).toBeGreaterThan(0);
});

test('what could not be deleted is said, with the command that does it', async () => {
  const sleep = () => Promise.reject(new Error('no network'));
  const { stderr, page } = await verify(['--only', 's3-unsigned-header'], { sleep });
  const said =
    /What is left of organisation (verify-\w+) \(no network\)\. Delete it with: organisation delete \1/;
  expect(stderr).toMatch(said);
  expect(page).toMatch(said);
});

test('invalid arguments end it with 2 before anything is made', async () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [[], 'give --stack NAME, --local'],
    [['--local', '--base-url', 'http://127.0.0.1:9'], 'give --base-url, --stack or --local'],
    [['--base-url', 'ftp://127.0.0.1'], 'no http or https URL'],
    [['--base-url', 'http://127.0.0.1:9'], 'Set FILE_SYNC_CLIENT_ID'],
    [['--local', '--stack', 'dev'], 'either --stack or --local'],
    [['--local', '--skip', 'rotations'], 'neither a part nor a fact'],
    [['--local', '--report', '/nowhere/report.md'], 'cannot be written'],
    [['--locale'], 'unknown option'],
    [['--stack', 'dev'], 'add --yes'],
  ];
  for (const [parameters, says] of cases) {
    const { code, stdout, stderr } = await call(parameters);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(says)]);
  }
});

test('a report shows no secret', () => {
  const shown = {
    'token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln!': 'token (a token, not shown)!',
    'PUT https://a.example/uploads/1?X-Amz-Signature=abc': 'PUT https://a.example/uploads/1?(not shown)',
    'X-Amz-Signature=0123&X-Amz-Expires=60': 'X-Amz-Signature=(not shown)&X-Amz-Expires=60',
    'x-amz-security-token=abc+d': 'X-Amz-security-token=(not shown)',
  };
  expect(Object.keys(shown).map(withoutSecrets)).toEqual(Object.values(shown));
});
