import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localDeployment } from '../../../cli/deployment/local-deployment.ts';
import { appVariable } from '../../../local/start/synthesize.ts';
import { fetchToken } from '../../support/fetch-token.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';
import { provision } from '../../support/provision.ts';
import { copyProject } from '../planted/copy-project.ts';

/**
 * What the next version of the API takes: a copy of the project gets a `v1` with volumes of its own, in the table of
 * versions and where the compiler then asks for it, and runs.
 */

/** As the handlers of functions write them. */
const [shared, contract] = ['../shared', '../../contract'];

const edits: readonly (readonly [file: string, find: string, replace: string])[] = [
  [
    'contract/versions.ts',
    '\n} as const satisfies',
    `
  v1: {
    release: '1.0.0',
    operations: {
      volumes: { method: 'GET', path: '/v1/volumes', needs: 'access token', servedBy: 'volumes' },
    },
    description: { method: 'GET', path: '/v1/openapi.json', needs: 'nothing', servedBy: 'well-known' },
  },
} as const satisfies`,
  ],
  [
    'lambdas/volumes/volumes-endpoint.ts',
    '/** Lists',
    `export const nextVolumesEndpoint: ApiEndpoint<object> = {
  version: 'v1',
  requiredScope: 'volume:read',
  answers: { ...volumesAnswers, 200: v.strictObject({ data: v.array(v.string()), next: v.null() }) },
  act: () => ({ data: [], next: null }),
};

/** Lists`,
  ],
  ['lambdas/volumes/volumes-endpoint.ts', 'import', "import * as v from 'valibot';\nimport"],
  [
    'lambdas/volumes/handler.ts',
    `export const handler = createApiHandler(
  volumesEndpoint,
  createApiDependencies('volumes', environment, awsClientConfig()),
);`,
    `const api = createApiDependencies('volumes', environment, awsClientConfig());
export const handler = createRoutedHandler(
  {
    [routeKey(versions.v0.operations.volumes)]: createApiHandler(volumesEndpoint, api),
    [routeKey(versions.v1.operations.volumes)]: createApiHandler(nextVolumesEndpoint, api),
  },
  api.log,
);`,
  ],
  [
    'lambdas/volumes/handler.ts',
    "import { volumesEndpoint } from './volumes-endpoint.ts';",
    `import { routeKey } from '${contract}/routes.ts';
import { versions } from '${contract}/versions.ts';
import { createRoutedHandler } from '${shared}/http-messages.ts';
import { nextVolumesEndpoint, volumesEndpoint } from './volumes-endpoint.ts';`,
  ],
  ['lambdas/well-known/descriptions.ts', '{ v0: v0 as', '{ v1: v1 as unknown as Description, v0: v0 as'],
  [
    'lambdas/well-known/descriptions.ts',
    'import v0',
    "import v1 from './openapi-v1.json' with { type: 'json' };\nimport v0",
  ],
  [
    'scripts/openapi/document.ts',
    '\n} satisfies Readonly<Record<Version',
    `
  v1: {
    description: 'The next version.',
    operations: {
      '/oauth/token': v0Operations['/oauth/token'],
      '/v1/volumes': v0Operations['/v0/volumes'],
      '/v1/openapi.json': v0Operations['/v0/openapi.json'],
    },
  },
} satisfies Readonly<Record<Version`,
  ],
];

/** Run in the copy: writes its description of v1, as `npm run generate` does. */
const generateDescription = `
import { writeFileSync } from 'node:fs';
import { documents } from './scripts/documents/documents.ts';
const path = 'lambdas/well-known/openapi-v1.json';
const content = documents.find((document) => document.path === path).content;
Promise.resolve(content('')).then((text) => writeFileSync(path, text));
`;

interface Description {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, object>>;
  readonly servers: readonly object[];
}

let folder: string;
let run: LocalRun;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-v1-'));
  const project = join(folder, 'project');
  await copyProject(fileURLToPath(new URL('../../../', import.meta.url)), project);
  await edit(project);
  run = await startLocalRun({
    root: project,
    stateDirectory: join(folder, 'state'),
    context: { v0SunsetAt: '2026-01-31T10:00:00Z', v0Notice: 'https://example.com/v0' },
    // The app of the copy, and not the one that the tests share.
    environment: { [appVariable]: '' },
  });
  const deployment = await localDeployment(run.stateDirectory);
  const { fixtures } = await provision(deployment, run.baseUrl);
  token = await fetchToken(run.baseUrl, fixtures.client);
}, 180_000);

afterAll(async () => {
  await run?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function edit(project: string): Promise<void> {
  for (const [file, find, replace] of edits) {
    const path = join(project, file);
    const source = await readFile(path, 'utf8');
    expect(source, `${file} no longer has ${find}`).toContain(find);
    await writeFile(
      path,
      source.replace(find, () => replace),
    );
  }
  // The description is imported by what makes it, so it has to be there before.
  await writeFile(join(project, 'lambdas/well-known/openapi-v1.json'), '{}');
  await writeFile(join(project, 'generate-v1.ts'), generateDescription);
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'generate-v1.ts'], { cwd: project });
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${run.baseUrl}${path}`, { headers });

const announcementOf = ({ headers }: Response) =>
  ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));

describe('a version that is added to the table', () => {
  test('has its routes in the template, beside those of v0 and with limits of their own', async () => {
    const assembly = join(run.stateDirectory, 'cdk.out');
    const name = (await readdir(assembly)).find((file) => file.endsWith('.template.json')) ?? '';
    const { Resources: resources } = JSON.parse(await readFile(join(assembly, name), 'utf8'));
    const properties = Object.values<{ Type: string; Properties: Record<string, object> }>(resources);
    const keys = properties
      .filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Route')
      .map(({ Properties }) => Properties.RouteKey);
    expect(keys).toEqual(
      expect.arrayContaining(['GET /v0/volumes', 'GET /v1/volumes', 'GET /v1/openapi.json']),
    );
    expect(Object.keys(resources)).toContainEqual(expect.stringMatching(/^ApiV1VolumesRoute/));
    const stage = properties.find(({ Type }) => Type === 'AWS::ApiGatewayV2::Stage');
    expect(Object.keys(stage?.Properties.RouteSettings ?? {}).toSorted()).toEqual(keys.toSorted());
    // Each route has an alarm for requests that its limit refuses.
    const alarms = properties.filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
    const dimensions = /"Dimensions":\[\{"Name":"Route","Value":"([^"]+)"\}\]/;
    const watched = alarms.flatMap((alarm) => dimensions.exec(JSON.stringify(alarm))?.[1] ?? []);
    expect(watched.toSorted()).toEqual(keys.toSorted());
    expect(Object.keys(resources)).toContainEqual(expect.stringMatching(/^AlarmsRequestsThrottledV1Volumes/));
  });

  test('answers, while v0 has ended; what announces the end of v0 is on v0 alone', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await get('/v1/volumes', headers);
    expect([answer.status, await answer.json()]).toEqual([200, { data: [], next: null }]);
    expect(announcementOf(answer)).toEqual([null, null, null]);
    const refused = await get('/v1/volumes');
    expect([refused.status, await refused.json()]).toEqual([401, { message: 'Unauthorized' }]);
    expect(announcementOf(refused)).toEqual([null, null, null]);

    const ended = await get('/v0/volumes', headers);
    expect([ended.status, await ended.json()]).toEqual([410, expect.objectContaining({ error: 'gone' })]);
    expect(ended.headers.get('sunset')).toBe('Sat, 31 Jan 2026 10:00:00 GMT');
    expect((await get('/v0/openapi.json')).status).toBe(410);
  });

  test('has a description of its own, to which the discovery document points', async () => {
    const document = (await (await get('/v1/openapi.json')).json()) as Description;
    expect(document.info.version).toBe('1.0.0');
    expect(Object.keys(document.paths)).toEqual(['/oauth/token', '/v1/volumes', '/v1/openapi.json']);
    expect(document.servers).toEqual([expect.objectContaining({ url: run.baseUrl })]);
    expect(JSON.stringify(document)).not.toMatch(/deprecated|Sunset|410/);
    const discovery = await (await get('/.well-known/openid-configuration')).json();
    expect(discovery).toMatchObject({ service_documentation: `${run.baseUrl}/v1/openapi.json` });
  });

  test('is named in the lines and the metrics, each with one of the versions of the table', async () => {
    await get('/v1/volumes');
    await get('/v0/volumes');
    const lines = async () => {
      const logs = join(run.stateDirectory, 'logs');
      const texts = await Promise.all(
        (await readdir(logs)).map((file) => readFile(join(logs, file), 'utf8').catch(() => '')),
      );
      return texts.join('\n');
    };
    await expect
      .poll(lines, { timeout: 30_000 })
      .toMatch(/"route":"GET \/v1\/volumes","version":"v1","status":401/);
    await expect.poll(lines, { timeout: 30_000 }).toMatch(/"RequestsGone":1,"Version":"v0"/);
  });

  test('can be deprecated by settings of its own', async () => {
    const names = `import('./lib/configuration.ts').then(({ settingNames }) => console.log(settingNames.join(' ')))`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', '--eval', names], {
      cwd: join(folder, 'project'),
    });
    expect(stdout).toContain('v0DeprecatedAt v0SunsetAt v0Notice v1DeprecatedAt v1SunsetAt v1Notice');
  });
});
