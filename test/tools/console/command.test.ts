import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
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
  it('chooses the port by itself and allows changes, unless it is told otherwise', async () => {
    expect((await ask('--local', 'console')).request).toMatchObject({
      name: 'local run',
      port: undefined,
      readOnly: false,
      output: { json: false },
    });
    const told = ['--port', '0', '--read-only', '--json'];
    expect((await ask('--stack', 'file-sync-prod', 'console', ...told)).request).toMatchObject({
      name: 'file-sync-prod',
      port: 0,
      readOnly: true,
      output: { json: true },
    });
  });

  it('refuses what is no port', async () => {
    for (const port of ['65536', '-1', 'x', '80.5', '']) {
      const { code, request, errors } = await ask('--local', 'console', `--port=${port}`);
      expect([code, request], port).toEqual([2, undefined]);
      expect(errors, port).toContain('A port is a number from 0 to 65535.');
    }
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
  it('prints its link first, a new one for Enter, and ends when it is told to', async () => {
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
