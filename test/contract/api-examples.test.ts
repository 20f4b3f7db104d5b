import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { apiExamples, type Example, matchesText, type Values } from './support/api-examples.ts';
import { challengeOf } from './support/http.ts';
import { api, test } from './support/test.ts';

/** The examples of docs/api.md, sent as they stand there. */

const { exchanges, script, output } = await apiExamples();

test('[1.4] docs/api.md has examples of every status that a client meets', () => {
  const statuses = exchanges.map(({ status }) => status);
  expect([...new Set(statuses)].sort()).toEqual([200, 400, 401, 403, 404, 409]);
});

test('[1.3] [1.4] each example of docs/api.md is answered as it says', async ({
  client,
  token,
  readerToken,
  file,
  fileNotEnabled,
}) => {
  const { clientId, clientSecret } = client;
  const values: Values = {
    '{client_id:client_secret in base64}': Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
    '{client_id}': clientId,
    '{client_secret}': clientSecret,
    '{access_token}': token,
    '{access_token with volume:read alone}': readerToken,
    '{file_id}': file,
    '{file_id with syncing not enabled}': fileNotEnabled,
  };
  for (const example of exchanges) {
    await expectAnswer(example, values);
  }
});

async function expectAnswer(example: Example, values: Values): Promise<void> {
  const answer = await api.call(example.request(values));
  expect([example.title, answer.status]).toEqual([example.title, example.status]);
  for (const [name, value] of Object.entries(example.headers)) {
    expect([name, name === 'www-authenticate' ? challengeOf(answer) : answer.headers[name]]).toEqual([
      name,
      value,
    ]);
  }
  // A deployment may have another lifetime.
  const body = example.body.replace(/("expires_in":)\d+/, '$1...');
  // Not compared as text: a difference would print a token.
  expect(matchesText(body, answer.text), `the body is that of the example: ${example.title}`).toBe(true);
}

test('[1.4] [9.1] [9.4] [10.10] the curl example of docs/api.md prints what it says', async ({
  client,
  file,
  skip,
}) => {
  if (spawnSync('curl', ['--version']).error !== undefined) {
    skip('needs curl on this machine');
  }
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-example-'));
  const environment = {
    PATH: process.env.PATH ?? '',
    // Where curl looks for .curlrc.
    CURL_HOME: folder,
    FILE_SYNC_BASE_URL: api.baseUrl,
    FILE_SYNC_CLIENT_ID: client.clientId,
    FILE_SYNC_CLIENT_SECRET: client.clientSecret,
    FILE_SYNC_FILE_ID: file,
  };
  // A deployment may take fewer requests per second than the tests send: curl repeats after 429.
  await writeFile(join(folder, '.curlrc'), 'retry = 5\n');
  try {
    expect(await runScript(script, folder, environment)).toBe(output);
  } finally {
    await rm(folder, { recursive: true });
  }
});

function runScript(text: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn('sh', ['-eu', '-c', text], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(printed));
  });
}
