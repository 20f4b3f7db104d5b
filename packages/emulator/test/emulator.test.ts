import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readAssembly } from '../cloudformation/assembly.ts';
import { startEmulator } from '../emulator.ts';
import { PortTaken, takePorts } from '../ports.ts';
import type { LogLine } from '../shared/log.ts';
import { atEnd } from './support/at-end.ts';
import { policy, resource } from './support/aws-services.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** An API with its function. */
const assembly = readAssembly(fileURLToPath(new URL('support/small-assembly', import.meta.url)));
const directory = await temporaryFolder();
const awsLog: LogLine[] = [];

const emulator = await startEmulator(assembly, {
  ports: await takePorts({ api: 0, aws: 0 }),
  stateDirectory: join(directory, 'state'),
  onAwsLog: (line) => awsLog.push(line),
});
atEnd(emulator.close);

async function count(): Promise<{ count: number; endpoint: string }> {
  return (await fetch(`${emulator.baseUrl}/count`)).json() as ReturnType<typeof count>;
}

const putting = {
  principal: { kind: 'operator' },
  action: 's3:PutObject',
  resource: 'arn:aws:s3:::small-bucket/key',
} as const;

test.each([
  ['a function that does not exist', 'small-None', {}, 'Error: Function not found: small-None'],
  [
    'a payload that is too large',
    'small-Count',
    'x'.repeat(6 * 1024 * 1024),
    '{"ok":false,"error":{"errorType":"RequestEntityTooLargeException","errorMessage":"Request must be smaller than 6291456 bytes for the InvokeFunction operation"}}',
  ],
])('%s is rejected', async (_, name, payload, response) => {
  expect(await emulator.invoke(name, payload).then(JSON.stringify, String)).toBe(response);
});

test('a function keeps its memory until its environment ends', async () => {
  const before = await count();
  expect(before.endpoint).toBe(emulator.awsEndpoint);
  expect((await count()).count).toBe(before.count + 1);
  await emulator.endIdleEnvironments(['small-Count']);
  expect((await count()).count).toBe(1);
});

test('replaced policies apply immediately, and a denied call is logged', () => {
  expect(emulator.authorize(putting).allowed).toBe(true);
  const denied = resource('Deny', 'AWS::S3::BucketPolicy', {
    Bucket: 'small-bucket',
    PolicyDocument: policy({ Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: '*' }),
  });
  emulator.usePolicies([...emulator.resources, denied]);
  expect(emulator.authorize(putting).allowed).toBe(false);
  const line = { message: 'access denied', action: 's3:PutObject' };
  expect(awsLog).toContainEqual(expect.objectContaining(line));
  emulator.usePolicies(emulator.resources);
});

test('a port of another program is rejected by name', async () => {
  const taken = Number(new URL(emulator.awsEndpoint).port);
  await expect(takePorts({ api: 0, aws: taken })).rejects.toThrow(new PortTaken('aws', taken));
});

test('a failed start releases the ports', async () => {
  const ports = await takePorts({ api: 0, aws: 0 });
  const unknown = { Resources: { Cache: { Type: 'AWS::ElastiCache::CacheCluster' } } };
  const start = startEmulator(
    { ...assembly, template: unknown },
    { ports, stateDirectory: join(directory, 'unknown') },
  );
  await expect(start).rejects.toThrow('Cache (AWS::ElastiCache::CacheCluster)');
  const again = await takePorts({ api: ports.gateway.port, aws: Number(new URL(ports.aws.endpoint).port) });
  await again.close();
});
