import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { runAdmin } from '../../../tools/admin/program.ts';
import { runConsole } from '../../../tools/console/command.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import type { ConsoleRequest } from '../../../tools/terminal/console-request.ts';
import { TextCollector } from '../../support/text-stream.ts';
import { send } from './support/visitor.ts';

/** Runs `admin console` as on no terminal. @returns what the console was asked for */
async function ask(...parameters: readonly string[]) {
  const asked: ConsoleRequest[] = [];
  const stdout = new TextCollector({ isTTY: false });
  const stderr = Object.assign(new PassThrough(), { isTTY: false, columns: 100 });
  const open = async () => ({ stackName: 'file-sync-prod' }) as Deployment;
  const code = await runAdmin(parameters, {
    stdin: new PassThrough(),
    stdout,
    stderr,
    env: {},
    words: 'admin',
    version: '1.2.3',
    sleep: async () => undefined,
    openLocal: open,
    openStack: open,
    runConsole: async (request) => void asked.push(request),
  });
  return { code, request: asked[0], errors: String(stderr.read() ?? '') };
}

describe('admin console', () => {
  test('chooses the port by itself and allows changes', async () => {
    const { request } = await ask('--local', 'console');
    const output = { json: false };
    expect(request).toMatchObject({ name: 'local run', port: undefined, readOnly: false, output });
  });

  test('takes a port, and refuses changes, when it is told so', async () => {
    const told = ['--port', '0', '--read-only', '--json'];
    const { request } = await ask('--stack', 'file-sync-prod', 'console', ...told);
    const output = { json: true };
    expect(request).toMatchObject({ name: 'file-sync-prod', port: 0, readOnly: true, output });
  });

  test.for(['65536', '-1', 'x', '80.5', ''])('refuses the port "%s"', async (port) => {
    const { code, request, errors } = await ask('--local', 'console', `--port=${port}`);
    expect([code, request]).toEqual([2, undefined]);
    expect(errors).toContain('A port is a number from 0 to 65535.');
  });
});

/** Serves the console until `end` is called. */
async function serve() {
  const stdout = new TextCollector({ isTTY: false });
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { request } = await ask('--local', 'console', '--port', '0');
  if (request === undefined) {
    throw new Error('The console was not asked for.');
  }
  const running = runConsole({ ...request, output: { ...request.output, stdout }, stdin, ended });
  await expect.poll(() => stdout.text).toContain('\n');
  return { stdout, stdin, running, end };
}

describe('the console that is served', () => {
  test('prints its link, and a new one for Enter, until it is told to end', async () => {
    const { stdout, stdin, running, end } = await serve();
    expect(stdout.text).toMatch(/^console http:\/\/127\.0\.0\.1:\d+\/enter\/[\w-]{43}\n$/);
    stdin.write('\n');
    await expect.poll(() => stdout.text.trim().split('\n')).toHaveLength(2);
    const [first = '', second = ''] = stdout.text
      .trim()
      .split('\n')
      .map((line) => line.slice('console '.length));
    expect(second).not.toBe(first);
    expect((await send(first)).status).toBe(403);
    expect((await send(second)).status).toBe(303);
    end();
    await running;
    await expect(send(second)).rejects.toThrow(/ECONNREFUSED|socket hang up/);
  });
});
