import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { runConsole } from '../../../tools/console/command.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { admin } from '../../support/run-admin.ts';
import { TextCollector } from '../../support/text-stream.ts';
import { send } from './support/visitor.ts';

describe('admin console', () => {
  test.for([
    [['--local', 'console'], 'local run', undefined, false],
    [['--stack', 'prod', 'console', '--port', '0', '--read-only', '--json'], 'file-sync-prod', 0, true],
  ] as const)('%j serves %s at the port %s', async ([parameters, name, port, isTold]) => {
    const deployment = { stackName: 'file-sync-prod', awsConfig: {} } as Deployment;
    const { consoles } = await admin(deployment, parameters);
    expect(consoles).toMatchObject([{ name, port, readOnly: isTold, output: { json: isTold } }]);
  });
});

/** Serves the console until `stop` is called. */
async function serve(changes: { readonly isTTY: boolean; readonly json: boolean }) {
  const [stdout, stderr] = [new TextCollector(), new TextCollector()];
  const stdin = Object.assign(new PassThrough(), changes);
  const ending = new EventEmitter();
  const running = runConsole({
    deployment: {} as Deployment,
    name: 'local run',
    port: 0,
    readOnly: false,
    stdin,
    output: { ...changes, stdout, stderr },
    ended: once(ending, 'end'),
  });
  await expect.poll(() => stdout.text).toContain('\n');
  const stop = () => {
    ending.emit('end');
    return running;
  };
  return { stdout, stderr, stdin, stop };
}

describe('the console that is served', () => {
  test('prints its link, and a new one for Enter, until it ends', async () => {
    const { stdout, stderr, stdin, stop } = await serve({ isTTY: true, json: false });
    expect(stdout.text).toMatch(/^console http:\/\/[0-9a-f]{32}\.localhost:\d+\/enter\/[\w-]{43}\n$/);
    expect(stderr.text).toContain('The link works once. Press Enter for a new link');
    stdin.write('\n');
    await expect.poll(() => stdout.text.trim().split('\n')).toHaveLength(2);
    const [first = '', second = ''] = stdout.text
      .trim()
      .split('\n')
      .map((line) => line.slice('console '.length));
    expect(second).not.toBe(first);
    const used = await send(first);
    expect([used.status, used.text.includes('Press Enter in the terminal of the console')]).toEqual([
      403,
      true,
    ]);
    expect((await send(second)).status).toBe(303);
    await stop();
    await expect(send(second)).rejects.toThrow(/ECONNREFUSED|socket hang up/);
  });

  test('prints its link as JSON, and no other without a terminal', async () => {
    const { stdout, stdin, stop } = await serve({ isTTY: false, json: true });
    expect(JSON.parse(stdout.text)).toEqual({ url: expect.stringMatching(/^http:.*\/enter\/[\w-]{43}$/) });
    expect(stdin.listenerCount('data')).toBe(0);
    await stop();
  });
});
