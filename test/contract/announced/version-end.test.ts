import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setFaults } from '../../../emulator/endpoint/faults.ts';
import { fetchToken } from '../../support/fetch-token.ts';
import { provision } from '../../support/provision.ts';
import { startRunningStack } from '../../support/running-stack.ts';
import { type Api, connectApi } from '../support/api.ts';
import type { Answer } from '../support/http.ts';
import { lint } from '../support/lint.ts';
import { typesOf } from '../support/openapi-types.ts';

/** docs/api.md 13.4 to 13.6, on deployments whose operator announced the end of v0. */

const v0Notice = 'https://example.com/v0';
const link = `<${v0Notice}>; rel="deprecation", <${v0Notice}>; rel="sunset"`;

async function serve(context: Readonly<Record<string, string>>) {
  const stack = await startRunningStack({ context: { ...context, v0Notice } });
  const { fixtures } = await provision(stack.deployment, stack.baseUrl);
  const token = await fetchToken(stack.baseUrl, fixtures.client);
  const readerToken = fixtures.reader && (await fetchToken(stack.baseUrl, fixtures.reader));
  return { stack, api: connectApi(stack.baseUrl), fixtures, token, readerToken };
}

type Served = Awaited<ReturnType<typeof serve>>;

/** Every kind of request to v0: each operation, allowed and refused. */
function askAll(api: Pick<Api, 'call'>, { fixtures, token, readerToken }: Served): Promise<Answer[]> {
  const bearer = (text: string | undefined) => ({ authorization: `Bearer ${text}` });
  const sync = (fileId: string) => ({ method: 'POST', path: `/v0/files/${fileId}/sync` });
  return Promise.all([
    api.call({ method: 'GET', path: '/v0/volumes', headers: bearer(token) }),
    api.call({ ...sync(fixtures.file ?? ''), headers: bearer(token) }),
    api.call({ method: 'GET', path: '/v0/openapi.json' }),
    api.call({ method: 'GET', path: '/v0/openapi.json', headers: { 'if-none-match': '*' } }),
    api.call({ method: 'GET', path: '/v0/volumes' }),
    api.call({ ...sync('some-file'), headers: bearer(readerToken) }),
    api.call({ ...sync('some-file'), headers: bearer(token) }),
    api.call({ ...sync(fixtures.fileNotEnabled ?? ''), headers: bearer(token) }),
  ]);
}

const announcementOf = ({ headers }: Answer) => [headers.deprecation, headers.sunset, headers.link];

describe('a deployment whose v0 is deprecated and will end', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ v0DeprecatedAt: '2026-01-31T10:00:00Z', v0SunsetAt: '2100-01-31T10:00:00Z' });
  }, 120_000);
  afterAll(() => served?.stack.close());

  test('[13.4] [13.5] answers as before, and announces it on each answer', async () => {
    const answers = await askAll(served.api, served);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 304, 401, 403, 404, 409]);
    for (const answer of answers) {
      expect(announcementOf(answer)).toEqual(['@1769853600', 'Sun, 31 Jan 2100 10:00:00 GMT', link]);
    }
  });

  test('[13.4] announces nothing on other endpoints, nor on what API Gateway answers itself', async () => {
    for (const path of [
      '/.well-known/openid-configuration',
      '/.well-known/jwks.json',
      '/v0/nowhere',
      '/v1/volumes',
    ]) {
      const answer = await served.api.call({ method: 'GET', path });
      expect([path, ...announcementOf(answer)]).toEqual([path, undefined, undefined, undefined]);
    }
    const refused = await served.api.call({ method: 'POST', path: '/oauth/token' });
    expect(announcementOf(refused)).toEqual([undefined, undefined, undefined]);
  });

  test('[13.4] announces it on a 500 too', async () => {
    const { api, stack, token, fixtures } = served;
    setFaults(stack.stateDirectory, { sts: 'failing' });
    try {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await api.call({ method: 'POST', path: `/v0/files/${fixtures.file}/sync`, headers });
      expect(answer.status).toBe(500);
      expect(announcementOf(answer)).toEqual(['@1769853600', 'Sun, 31 Jan 2100 10:00:00 GMT', link]);
    } finally {
      setFaults(stack.stateDirectory, {});
    }
  });

  test('[13.5] marks the operations of v0 in a description that lints and makes types', async () => {
    const document = await served.api.document();
    const marked = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.values(item).map((operation) => [path, 'deprecated' in operation && operation.deprecated]),
    );
    expect(marked).toEqual(Object.keys(document.paths).map((path) => [path, path.startsWith('/v0/')]));
    const folder = await mkdtemp(join(tmpdir(), 'file-sync-lint-'));
    const path = join(folder, 'openapi.json');
    await writeFile(path, JSON.stringify(document));
    const report = await lint(path).finally(() => rm(folder, { recursive: true }));
    expect(report.problems).toEqual([]);
    expect(await typesOf(document)).toContain('@deprecated');
  }, 60_000);
});

describe('a deployment whose v0 has ended', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ v0SunsetAt: '2026-01-31T10:00:00Z' });
  }, 120_000);
  afterAll(() => served?.stack.close());

  test('[13.6] answers 410 to everything under /v0', async () => {
    const answers = await askAll({ call: served.api.ask }, served);
    for (const answer of answers) {
      expect([answer.status, announcementOf(answer)]).toEqual([
        410,
        [undefined, 'Sat, 31 Jan 2026 10:00:00 GMT', link],
      ]);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(JSON.parse(answer.text)).toEqual({
        error: 'gone',
        error_description: `Version v0 of this API ended at 2026-01-31T10:00:00Z; see ${v0Notice}`,
      });
    }
  });

  test('[13.6] still issues tokens and publishes the two documents of no version', async () => {
    const { api, stack } = served;
    expect(await fetchToken(stack.baseUrl, served.fixtures.client)).toMatch(/^ey/);
    for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json']) {
      expect((await api.ask({ method: 'GET', path })).status).toBe(200);
    }
  });
});
