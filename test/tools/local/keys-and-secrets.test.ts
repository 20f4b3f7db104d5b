import { setTimeout as delay } from 'node:timers/promises';
import { calculateJwkThumbprint, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClientWithSecret, createClient } from '../../../tools/operator/clients.ts';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';
import { type AdminRun, admin as runAdmin } from '../../support/run-admin.ts';

let run: LocalRun;
let client: ClientWithSecret;

beforeAll(async () => {
  run = await startLocalRun();
  client = await createClient(await localDeployment(run.stateDirectory), {
    organisationId: 'acme',
    name: 'Keys and secrets',
    scopes: ['volume:read', 'sync:create'],
  });
});
afterAll(() => run.stop());

async function admin(...parameters: readonly string[]): Promise<AdminRun> {
  const deployment = await localDeployment(run.stateDirectory);
  return runAdmin(deployment, ['--local', '--state', run.stateDirectory, ...parameters]);
}

async function requestToken(
  secret = client.client_secret,
): Promise<{ status: number; token: string; scope: string }> {
  const form = { grant_type: 'client_credentials', client_id: client.client_id, client_secret: secret };
  const response = await fetch(`${run.baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const body = (await response.json()) as { access_token?: string; scope?: string };
  return { status: response.status, token: body.access_token ?? '', scope: body.scope ?? '' };
}

async function listVolumes(token: string): Promise<number> {
  const response = await fetch(`${run.baseUrl}/v0/volumes`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.arrayBuffer();
  return response.status;
}

async function publishedKids(): Promise<readonly (string | undefined)[]> {
  const response = await fetch(`${run.baseUrl}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: readonly { kid?: string }[] };
  return keys.map(({ kid }) => kid);
}

interface ListedKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly state: string;
  readonly signs: boolean;
  readonly since: string;
}

async function listedKeys(...command: readonly string[]): Promise<readonly ListedKey[]> {
  const answered = await admin('signing-key', ...command, '--json');
  expect(answered.code).toBe(0);
  return answered.json().data as readonly ListedKey[];
}

function keyIn(keys: readonly ListedKey[], state: string): ListedKey {
  const key = keys.find((it) => it.state === state);
  if (key === undefined) {
    throw new Error(`no ${state} key`);
  }
  return key;
}

describe('a client', () => {
  test('that is revoked gets no token by any request that starts afterwards, and keeps those that it has', async () => {
    const { token } = await requestToken();
    const answers: { readonly startedAt: number; readonly status: number }[] = [];
    let stop = false;
    const loops = Array.from({ length: 8 }, async () => {
      while (!stop) {
        const startedAt = performance.now();
        answers.push({ startedAt, status: (await requestToken()).status });
      }
    });
    await expect.poll(() => answers.length).toBeGreaterThan(20);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect((await admin('client', 'revoke', client.client_id)).code).toBe(0);
    const revokedAt = performance.now();
    const startedAfter = () => answers.filter(({ startedAt }) => startedAt > revokedAt);
    await expect.poll(() => startedAfter().length).toBeGreaterThan(20);
    stop = true;
    await Promise.all(loops);

    const after = startedAfter();
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]));
    expect(await listVolumes(token)).toBe(200);
  });

  test('that is restored gets tokens again', async () => {
    expect((await admin('client', 'restore', client.client_id)).code).toBe(0);
    expect((await requestToken()).status).toBe(200);
  });

  test('has its scopes changed: new tokens follow, issued ones keep theirs', async () => {
    const { token } = await requestToken();
    await admin('client', 'set-scopes', client.client_id, '--scope', 'sync:create');
    const narrowed = await requestToken();
    expect(narrowed.scope).toBe('sync:create');
    expect(await listVolumes(narrowed.token)).toBe(403);
    expect(await listVolumes(token)).toBe(200);
    await admin('client', 'set-scopes', client.client_id, '--scope', 'volume:read', '--scope', 'sync:create');
  });

  test('stays in its organisation: no command changes it', async () => {
    const help = await admin('client', '--help');
    expect(help.stdout).toContain('set-scopes');
    expect(help.stdout).not.toMatch(/organi[sz]ation/i);
    const tried = await admin(
      'client',
      'set-scopes',
      client.client_id,
      '--scope',
      'volume:read',
      '--organisation',
      'b',
    );
    expect(tried.code).toBe(2);
    const shown = await admin('client', 'show', client.client_id, '--json');
    expect(shown.json()).toMatchObject({ organisation_id: 'acme', scopes: ['volume:read', 'sync:create'] });
  });

  test('has two secrets for the grace of a rotation and one after it, listed by id, creation and end', async () => {
    const rotated = await admin('client', 'rotate-secret', client.client_id, '--grace', '4s', '--json');
    const { client_secret: fresh } = rotated.json() as { client_secret: string };
    const [old, added] = [client.client_secret, fresh];
    expect((await requestToken(old)).status).toBe(200);
    expect((await requestToken(added)).status).toBe(200);
    expect((await admin('client', 'add-secret', client.client_id)).code).toBe(1);

    const shown = await admin('client', 'show', client.client_id, '--json');
    const { secrets } = shown.json() as { secrets: readonly Record<string, unknown>[] };
    expect(secrets.map((secret) => Object.keys(secret).sort())).toEqual([
      ['created_at', 'ends_at', 'secret_id'],
      ['created_at', 'secret_id'],
    ]);
    const plain = await admin('client', 'show', client.client_id);
    for (const secret of [old, added]) {
      expect(`${shown.stdout}${plain.stdout}`.includes(secret)).toBe(false);
    }

    await delay(Math.max(0, Date.parse(String(secrets[0]?.ends_at)) - Date.now()) + 5);
    expect((await requestToken(old)).status).toBe(401);
    expect((await requestToken(added)).status).toBe(200);
    client = { ...client, client_secret: added };
  });
});

describe('the signing keys', () => {
  test('are listed without private parts', async () => {
    const keys = await listedKeys('list');
    expect(keys.map(({ state }) => state)).toEqual(['current', 'next']);
    expect(new Set(await publishedKids())).toEqual(new Set(keys.map(({ kid }) => kid)));
    expect((await admin('signing-key', 'list', '--json')).stdout).not.toMatch(/"(d|p|q|dp|dq|qi|x|y)"/);
  });

  test('that leaked: revoke says which tokens die, and its tokens get 401 from whoever reads the set anew', async () => {
    const before = await listedKeys('list');
    const { token } = await requestToken();
    const leaked = keyIn(before, 'current');
    expect(decodeProtectedHeader(token).kid).toBe(leaked.kid);
    const refused = await admin('signing-key', 'revoke', leaked.kid);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('Every access token that it signed');

    const revoked = await admin('signing-key', 'revoke', leaked.kid, '--yes', '--json');
    expect(revoked.json()).toMatchObject({ kid: leaked.kid, signing_kid: keyIn(before, 'next').kid });
    expect((await listedKeys('list')).map(({ kid }) => kid)).not.toContain(leaked.kid);

    // Warm functions hold the set for at most five minutes; restarted ones read it immediately. With the restart, the
    // algorithm changes as well.
    await run.kill();
    run = await run.restart({ context: { signingAlgorithm: 'RS256' } });
    expect(await listVolumes(token)).toBe(401);
    const renewed = await requestToken();
    expect(decodeProtectedHeader(renewed.token).kid).toBe(keyIn(before, 'next').kid);
    expect(await listVolumes(renewed.token)).toBe(200);
    expect(await publishedKids()).not.toContain(leaked.kid);
  }, 120_000);

  test('of a changed algorithm: made by the next rotation, next to sign after it', async () => {
    const before = await listedKeys('list');
    expect(before.map(({ algorithm }) => algorithm)).toEqual(['ES256', 'ES256']);
    const once = await listedKeys('rotate', '--yes');
    expect(keyIn(once, 'current')).toMatchObject({ kid: keyIn(before, 'next').kid, algorithm: 'ES256' });
    expect(keyIn(once, 'next').algorithm).toBe('RS256');

    // Rotated again immediately, it is to sign as soon as no cached key set lacks it; until then tokens go on as before.
    const twice = await listedKeys('rotate', '--yes');
    expect(keyIn(twice, 'current')).toMatchObject({ kid: keyIn(once, 'next').kid, algorithm: 'RS256' });
    const wait = Date.parse(keyIn(twice, 'current').since) - Date.now();
    expect(wait).toBeGreaterThan(10 * 60_000);
    expect(wait).toBeLessThanOrEqual(11 * 60_000);
    const { token } = await requestToken();
    expect(decodeProtectedHeader(token).alg).toBe('ES256');
    const signing = twice.filter(({ signs }) => signs).map(({ kid }) => kid);
    expect(signing).toEqual([decodeProtectedHeader(token).kid]);
    expect(await listVolumes(token)).toBe(200);
  });

  test('that nobody published sign nothing that is accepted', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const kid = await calculateJwkThumbprint(await exportJWK(privateKey));
    const token = await new SignJWT({ scope: 'volume:read', client_id: 'c', organisation_id: 'acme' })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
      .setIssuer(run.baseUrl)
      .setAudience(run.baseUrl)
      .setSubject('c')
      .setJti('j')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey);
    expect(await listVolumes(token)).toBe(401);
  });
});
