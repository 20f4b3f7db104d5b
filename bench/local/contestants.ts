import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { localDeployment } from '../../cli/deployment/local-deployment.ts';
import { createClient } from '../../cli/operations/clients.ts';
import { createFile } from '../../cli/operations/files.ts';
import { startLocalRun } from '../../test/support/local-run.ts';
import { type LoadRequest, send } from './load.ts';

/** A server that is measured, and the requests that load it. */
export interface LocalRunContestant {
  readonly token: LoadRequest;
  readonly sync: LoadRequest;
  readonly stop: () => Promise<void>;
}

/** Starts a local run from its sources, as `npm start` does, with a client and a file. */
export async function startLocalContestant(): Promise<LocalRunContestant> {
  const local = await startLocalRun({ fromSource: true });
  const admin = await localDeployment(local.stateDirectory);
  const organisationId = 'acme';
  const { client_id, client_secret } = await createClient(admin, {
    organisationId,
    name: 'Bench',
    scopes: ['volume:read', 'sync:create'],
  });
  const file = await createFile(admin, { organisationId, name: 'bench.bin', syncEnabled: true });
  const token = tokenRequest(`${local.baseUrl}/oauth/token`, client_id, client_secret);
  const { access_token } = JSON.parse(await send(token)) as { access_token: string };
  return {
    token,
    sync: {
      url: `${local.baseUrl}/v0/files/${file.file_id}/sync`,
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
      body: '',
    },
    stop: async () => void (await local.stop()),
  };
}

export interface PeerContestant {
  readonly token: LoadRequest;
  readonly stop: () => Promise<void>;
}

/** Starts oidc-provider in a process of its own. */
export async function startPeer(): Promise<PeerContestant> {
  const [id, secret] = ['client-of-the-peer', randomBytes(32).toString('base64url')];
  const program = fileURLToPath(new URL('./peer-server.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    env: { ...process.env, CLIENT_ID: id, CLIENT_SECRET: secret },
    // It warns of what it would want in production.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const issuer = await firstLine(child);
  return {
    token: tokenRequest(`${issuer}/token`, id, secret),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}

function tokenRequest(url: string, id: string, secret: string): LoadRequest {
  return {
    url,
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The peer ended with ${code}`)));
    if (child.stdout) {
      createInterface({ input: child.stdout }).once('line', resolve);
    }
  });
}
