import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AttackedService, startAttackedService } from '../support/attacked-service.ts';
import { type FakeAws, startFakeAws } from '../support/fake-aws.ts';
import { percentEncoded } from '../support/hostile-text.ts';
import { createRawClient, type RawRequest } from '../support/raw-http.ts';
import { admin } from '../support/run-admin.ts';

/** Text that would forge a line, a member of a line, or act on the terminal of whoever reads a log or a table. */
const forgeries = [
  ['a line break and a line', 'x\r\n{"level":"ERROR","message":"forged"}'],
  ['quotes and a member', 'x","status":"200","forged":"yes'],
  ['an ANSI escape', 'x\u001b[2J\u001b[1;31mforged'],
  ['a C1 control', 'x\u009b31mforged'],
  ['an override of direction', 'x\u202egro.degrof'],
  ['a NUL', 'x\u0000forged'],
] as const;

const actsOnTerminal = /[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069]/u;

describe('the logs of the service', () => {
  let service: AttackedService;
  beforeAll(async () => {
    service = await startAttackedService();
  });
  afterAll(() => service?.close());

  /** The same text wherever a caller can put text. Headers carry no line breaks. */
  function requestsWith(text: string): readonly (readonly [string, RawRequest])[] {
    const encoded = percentEncoded(text);
    const header = Buffer.from(text)
      .toString('latin1')
      .replace(/[\r\n\0]/g, ' ');
    const form = ['content-type', 'application/x-www-form-urlencoded'] as const;
    const tokenRequest = (body: string): RawRequest => ({
      method: 'POST',
      target: '/oauth/token',
      headers: [form],
      body: Buffer.from(`grant_type=client_credentials&${body}`),
    });
    const bearer = ['authorization', `Bearer ${service.client.token}`] as const;
    const volumes = (headers: NonNullable<RawRequest['headers']>): RawRequest => ({
      method: 'GET',
      target: '/v0/volumes',
      headers,
    });
    return [
      ['client_id', tokenRequest(`client_id=${encoded}&client_secret=x`)],
      ['client_secret', tokenRequest(`client_id=client&client_secret=${encoded}`)],
      ['scope', tokenRequest(`scope=${encoded}`)],
      ['grant_type', { ...tokenRequest(''), body: Buffer.from(`grant_type=${encoded}`) }],
      ['fileId', { method: 'POST', target: `/v0/files/${encoded}/sync`, headers: [bearer] }],
      ['path', { method: 'GET', target: `/${encoded}` }],
      ['query', { method: 'GET', target: `/v0/volumes?a=${encoded}`, headers: [bearer] }],
      ['User-Agent', volumes([bearer, ['user-agent', header]])],
      ['X-Forwarded-For', volumes([bearer, ['x-forwarded-for', header]])],
      ['Authorization', volumes([['authorization', `Bearer ${header}`]])],
    ];
  }

  test('hold at most one line for each request, and nothing of a forgery', async () => {
    const api = createRawClient(service.baseUrl);
    const accesses = async () =>
      (await service.logLines()).filter((line) => 'response_latency_ms' in (JSON.parse(line) as object));
    const before = (await accesses()).length;
    const requests = forgeries.flatMap(([name, text]) =>
      requestsWith(text).map(([place, request]) => [`${name} as ${place}`, request] as const),
    );
    const failed: string[] = [];
    for (const [title, request] of requests) {
      const { status } = await api.send(request);
      failed.push(...(status < 500 ? [] : [`${title}: ${status}`]));
    }
    expect(failed).toEqual([]);
    // The line of a request is written after its answer. This one is the last.
    await api.send({ method: 'GET', target: '/.well-known/jwks.json' });
    await expect.poll(async () => (await accesses()).at(-1)).toContain('jwks.json');
    // A request that the parser refuses is in no access log; API Gateway has none of those either.
    expect((await accesses()).length - before).toBeLessThanOrEqual(requests.length + 1);
    const lines = await service.logLines();
    expect(lines.filter((line) => /forged|degrof/.test(line) || actsOnTerminal.test(line))).toEqual([]);
    api.close();
  });
});

describe("the admin command's tables, details and JSON", () => {
  let aws: FakeAws;

  beforeAll(async () => {
    aws = await startFakeAws();
  });
  afterAll(() => aws.stop());

  test.each(forgeries)('show a stored name with %s without acting on the terminal', async (_, text) => {
    // The command itself takes no such name: somebody wrote to the table.
    await aws.putItem('files', {
      file_id: { S: 'file' },
      organisation_id: { S: 'acme' },
      name: { S: text },
      sync_enabled: { BOOL: true },
      created_at: { S: '2026-01-01T00:00:00.000Z' },
      updated_at: { S: '2026-01-01T00:00:00.000Z' },
    });
    for (const command of [
      ['file', 'list', '--organisation', 'acme'],
      ['file', 'show', 'file'],
    ]) {
      const people = await admin(aws.deployment, ['--local', ...command]);
      expect(people.code).toBe(0);
      expect(actsOnTerminal.test(people.stdout)).toBe(false);
      const machine = await admin(aws.deployment, ['--local', '--json', ...command]);
      expect(actsOnTerminal.test(machine.stdout)).toBe(false);
      expect(JSON.stringify(machine.json())).toContain(JSON.stringify(text));
    }
  });
});
