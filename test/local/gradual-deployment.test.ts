import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Deployment } from '../../cli/deployment/deployment.ts';
import { localDeployment } from '../../cli/deployment/local-deployment.ts';
import { readAlarms } from '../../cli/operations/alarms.ts';
import { createClient } from '../../cli/operations/clients.ts';
import { createFile, getFile } from '../../cli/operations/files.ts';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { type RunningStack, startRunningStack } from '../support/running-stack.ts';

const canary = { gradualDeployment: 'canary' };

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

function requestToken(baseUrl: string, { client_id, client_secret }: Client): Promise<Response> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  return fetch(`${baseUrl}/oauth/token`, { method: 'POST', body });
}

function newClient(deployment: Deployment): Promise<Client> {
  const scopes = ['volume:read', 'sync:create'] as const;
  return createClient(deployment, { organisationId: 'acme', name: 'Test', scopes: [...scopes] });
}

describe('with the functions behind the API moved gradually', () => {
  let stack: RunningStack;
  beforeAll(async () => {
    stack = await startRunningStack({ context: canary });
  });
  afterAll(() => stack?.close());

  const resourceOf = (type: string, part: string) =>
    stack.resources.find(({ type: its, logicalId }) => its === type && logicalId.includes(part));

  /** Invocations of a function in the last hour, by the dimensions of the metric. */
  async function invocations(dimensions: Readonly<Record<string, string>>): Promise<number> {
    const cloudWatch = new CloudWatchClient(stack.deployment.awsConfig);
    const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
    const { MetricDataResults = [] } = await cloudWatch.send(
      new GetMetricDataCommand({
        StartTime: new Date(Date.now() - 3_600_000),
        EndTime: new Date(Date.now() + 60_000),
        MetricDataQueries: [
          {
            Id: 'invocations',
            MetricStat: {
              Metric: { Namespace: 'AWS/Lambda', MetricName: 'Invocations', Dimensions },
              Period: 60,
              Stat: 'Sum',
            },
          },
        ],
      }),
    );
    cloudWatch.destroy();
    return (MetricDataResults[0]?.Values ?? []).reduce((sum, value) => sum + value, 0);
  }

  test('requests are answered by the version behind the alias, and counted for it', async () => {
    const client = await newClient(stack.deployment);
    expect((await requestToken(stack.baseUrl, client)).status).toBe(200);
    const FunctionName = resourceOf('AWS::Lambda::Function', 'Token')?.ref ?? '';
    const Resource = `${FunctionName}:live`;
    const ExecutedVersion = resourceOf('AWS::Lambda::Version', 'Token')?.attributes.Version ?? '';
    expect(await invocations({ FunctionName })).toBe(1);
    expect(await invocations({ FunctionName, Resource })).toBe(1);
    expect(await invocations({ FunctionName, Resource, ExecutedVersion })).toBe(1);
  });

  test('API Gateway may invoke the aliases by their own permissions alone', () => {
    const principal = {
      kind: 'service',
      service: 'apigateway.amazonaws.com',
      sourceArn: `arn:aws:execute-api:us-east-1:000000000000:${resourceOf('AWS::ApiGatewayV2::Api', '')?.ref}/$default/POST/oauth/token`,
    } as const;
    const resource = resourceOf('AWS::Lambda::Alias', 'Token')?.ref ?? '';
    const call = { principal, action: 'lambda:InvokeFunction', resource };
    expect(stack.authorize(call).allowed).toBe(true);
    stack.usePolicies(stack.resources.filter(({ logicalId }) => !logicalId.includes('AliasPermission')));
    expect(stack.authorize(call).allowed).toBe(false);
    stack.usePolicies(stack.resources);
  });

  test('a version that fails raises its own alarm, which takes a deployment back', async () => {
    await breakFunction(stack, 'Volumes');
    expect((await fetch(`${stack.baseUrl}/v0/volumes`)).status).toBe(500);
    await stack.evaluateAlarms(new Date());
    const raised = (await readAlarms(stack.deployment))
      .filter(({ state }) => state === 'alarm')
      .map(({ name }) => name);
    const own = raised.filter((name) => name.includes('GradualDeployment'));
    expect(own).toEqual([resourceOf('AWS::CloudWatch::Alarm', 'VolumesFailures')?.ref]);
    // One failed request of two is an alarm of the API as well, which takes the deployment back too.
    expect(raised).toContain(resourceOf('AWS::CloudWatch::Alarm', 'ServerErrors')?.ref);
  });
});

/** Puts code that fails in place of a function, as a bad release would. */
async function breakFunction(stack: RunningStack, name: string): Promise<void> {
  const template = JSON.parse(
    await readFile(join(stack.stateDirectory, 'cdk.out', 'file-sync-prod.template.json'), 'utf8'),
  ) as { Resources: Record<string, { Type: string; Properties: { Code?: { S3Key: string } } }> };
  const [, broken] = Object.entries(template.Resources).find(
    ([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith(name),
  ) ?? ['', undefined];
  const hash = broken?.Properties.Code?.S3Key.replace(/\.zip$/, '') ?? '';
  const folder = join(stack.stateDirectory, 'cdk.out', `asset.${hash}`);
  expect(await readdir(folder)).toContain('index.mjs');
  await writeFile(join(folder, 'index.mjs'), `throw new Error('a bad release');`);
}

describe('switching the setting on and off', () => {
  let folder: string;
  let run: LocalRun | undefined;
  afterEach(async () => {
    await run?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const statusOf = async (answer: Promise<Response>) => (await answer).status;

  /** What the clients of the run have, from before a switch. */
  async function prepare(baseUrl: string, stateDirectory: string) {
    const deployment = await localDeployment(stateDirectory);
    const client = await newClient(deployment);
    const file = await createFile(deployment, { organisationId: 'acme', name: 'f.bin', syncEnabled: true });
    const granted = (await (await requestToken(baseUrl, client)).json()) as { access_token: string };
    const headers = { authorization: `Bearer ${granted.access_token}` };
    const sync = () => fetch(`${baseUrl}/v0/files/${file.file_id}/sync`, { method: 'POST', headers });
    const { data } = (await (await sync()).json()) as { data: { upload_url: string } };
    return { deployment, client, file, headers, sync, uploadUrl: data.upload_url };
  }

  /** Everything that was valid before works, and everything is answered. */
  async function everythingWorks(
    baseUrl: string,
    before: Awaited<ReturnType<typeof prepare>>,
  ): Promise<void> {
    const { deployment, client, file, headers, sync, uploadUrl } = before;
    expect(await statusOf(fetch(`${baseUrl}/v0/volumes`, { headers }))).toBe(200);
    expect(await statusOf(fetch(uploadUrl, { method: 'PUT', body: 'content' }))).toBe(200);
    expect(await statusOf(fetch(uploadUrl, { method: 'PUT', body: 'again' }))).toBe(412);
    await expect
      .poll(async () => (await getFile(deployment, file.file_id))?.content?.upload_id, { timeout: 20_000 })
      .toBe(new URL(uploadUrl).pathname.split('/').at(-1));
    expect(await statusOf(requestToken(baseUrl, client))).toBe(200);
    expect(await statusOf(sync())).toBe(200);
    expect(await statusOf(fetch(`${baseUrl}/.well-known/jwks.json`))).toBe(200);
  }

  /** The version of `token` that the alias points to; undefined without an alias. */
  async function liveVersion(current: LocalRun): Promise<string | undefined> {
    const { awsConfig } = await localDeployment(current.stateDirectory);
    const lambda = new LambdaClient(awsConfig);
    const template = await readFile(
      join(current.stateDirectory, 'cdk.out', 'file-sync-prod.template.json'),
      'utf8',
    );
    const [logicalId] = /TokenFunction[0-9A-F]{8}/.exec(template) ?? [];
    const FunctionName = `file-sync-prod-${logicalId}`;
    const call = lambda.send(
      new InvokeCommand({ FunctionName, Qualifier: 'live', Payload: Buffer.from('{}') }),
    );
    const answer = await call.catch((error: unknown) => {
      expect(error).toMatchObject({ name: 'ResourceNotFoundException' });
      return undefined;
    });
    lambda.destroy();
    return answer?.ExecutedVersion;
  }

  /** Leaves the processor to the run that starts. */
  const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

  /**
   * Asks for tokens all the time, as clients do. While the run starts again, nobody listens, and then it answers 503 until
   * it serves; clients come again.
   *
   * @returns the answers, but for these
   */
  function keepAsking(baseUrl: string, client: Client, isServing: () => boolean) {
    const answers: number[] = [];
    let asking = true;
    const ask = async () => {
      const before = isServing();
      const status = await statusOf(requestToken(baseUrl, client)).catch(() => undefined);
      const mayFail = !(before && isServing());
      if (status !== undefined && !(mayFail && status === 503)) {
        answers.push(status);
        return;
      }
      expect(mayFail).toBe(true);
    };
    const ended = (async () => {
      while (asking) {
        await ask();
        await pause();
      }
    })();
    return async () => {
      asking = false;
      await ended;
      return answers;
    };
  }

  // Three syntheses and starts.
  const timeout = 240_000;

  test('answers every request, and what was valid before stays valid', { timeout }, async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-sync-gradual-'));
    run = await startLocalRun({ stateDirectory: folder });
    const { baseUrl, awsEndpoint } = run;
    const [port, awsPort] = [baseUrl, awsEndpoint].map((url) => Number(new URL(url).port));
    const settled = { stateDirectory: folder, ...(port && awsPort ? { port, awsPort } : {}) };
    let serving = true;
    const stop = keepAsking(baseUrl, await newClient(await localDeployment(folder)), () => serving);
    expect(await liveVersion(run)).toBeUndefined();

    for (const context of [canary, { gradualDeployment: 'none' }]) {
      const before = await prepare(baseUrl, folder);
      serving = false;
      await run.stop();
      run = await startLocalRun({ ...settled, context });
      serving = true;
      await everythingWorks(baseUrl, before);
      const version = await liveVersion(run);
      if (context === canary) {
        expect(version).toMatch(/^\d+$/);
      } else {
        expect(version).toBeUndefined();
      }
    }

    const answers = await stop();
    expect(answers.length).toBeGreaterThan(10);
    expect([...new Set(answers)]).toEqual([200]);
  });
});
