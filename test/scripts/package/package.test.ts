import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../lib/file-sync-app.ts';
import * as source from '../../../lib/package.ts';
import { packedManifest } from '../../../scripts/package/manifest.ts';
import { putPackedManifest, restoreManifest } from '../../../scripts/package/swap-manifest.ts';
import { jsonOf, type Packed, packAndInstall, run } from './consumer.ts';
import { app, comparison, errorsIn } from './types.ts';

/** What `npm pack` makes, as somebody else's app has it: installed, without our sources, without our packages. */

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

let packed: Packed;
beforeAll(async () => {
  packed = await packAndInstall();
  // npm packs and installs, which takes long on a busy machine.
}, 300_000);
afterAll(() => rm(dirname(packed.project), { recursive: true, force: true }));

describe('the package', () => {
  it('holds what its users need, and nothing else', async () => {
    const folders = await readdir(join(projectRoot, 'lambdas'));
    const bundles = folders
      .filter((name) => existsSync(join(projectRoot, 'lambdas', name, 'handler.ts')))
      .map((name) => `functions/${name}/index.mjs`);
    const built = ['LICENCES.txt', 'file-sync-admin.mjs', 'file-sync-upload.mjs', 'index.cjs', 'index.d.cts'];
    const assets = ['console.css', 'console.js', 'htmx.js', 'icon.svg'].map((name) => `assets/${name}`);
    expect(packed.contents).toEqual(
      [
        'CHANGELOG.md',
        'README.md',
        'docs/package.md',
        'package.json',
        ...[...built, ...bundles, ...assets].map((name) => `dist/package/${name}`),
      ].toSorted(),
    );
  });

  it('needs the CDK of the app that uses it, and no other package', async () => {
    const { dependencies, devDependencies, peerDependencies } = await jsonOf(
      packed.consumer,
      'node_modules/file-sync-api/package.json',
    );
    const { 'aws-cdk-lib': cdk, constructs } = (await jsonOf(projectRoot, 'package.json')).dependencies;
    expect({ dependencies, devDependencies, peerDependencies }).toEqual({
      peerDependencies: { 'aws-cdk-lib': `^${cdk}`, constructs: `^${constructs}` },
    });
    expect(
      (await readdir(join(packed.consumer, 'node_modules'))).filter((name) => !name.startsWith('.')),
    ).toEqual(['aws-cdk-lib', 'constructs', 'file-sync-api']);
  });

  it('leaves the package.json of the repository as it was', async () => {
    const read = (folder: string) => readFile(join(folder, 'package.json'), 'utf8');
    expect(await read(packed.project)).toBe(await read(projectRoot));
    expect(await readdir(join(packed.project, 'dist'))).toEqual(['package']);
  });

  it('names the licence of everything in it', async () => {
    const text = await readFile(
      join(packed.consumer, 'node_modules/file-sync-api/dist/package/LICENCES.txt'),
      'utf8',
    );
    for (const name of ['@aws-sdk/client-dynamodb', '@aws-sdk/client-sts', 'jose', 'valibot']) {
      const { version } = await jsonOf(projectRoot, 'node_modules', name, 'package.json');
      expect(text).toContain(`${name} ${version}\n`);
    }
    expect(text).toContain('Apache License');
    expect(text).toContain('Permission is hereby granted, free of charge');
  });
});

describe('the stack of the package', () => {
  /** As the CDK's command line has it. */
  const context = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true };

  const synthesize = async (file: string, source: string) => {
    await writeFile(join(packed.consumer, file), source);
    const env = { CDK_OUTDIR: join(packed.consumer, `${file}.out`), CDK_VALIDATION: 'false' };
    return run(packed.consumer, [process.execPath, file], {
      ...env,
      CDK_CONTEXT_JSON: JSON.stringify(context),
    });
  };

  beforeAll(() => {
    for (const stage of ['prod', 'dev']) {
      const outdir = join(packed.project, stage);
      const options = { builtinCloudFormationValidation: false, outdir };
      createApp({ ...options, context: { ...context, stage } }).app.synth();
    }
  });

  const body = `
    const synthesizer = new DefaultStackSynthesizer({ generateBootstrapVersionRule: false });
    const app = new App();
    new FileSyncStack(app, 'file-sync-prod', { synthesizer });
    new FileSyncStack(app, 'file-sync-dev', { synthesizer, configuration: { stage: 'dev' } });
    app.synth();`;

  it.each([
    [
      'an ES module',
      'app.mjs',
      `import { App, DefaultStackSynthesizer } from 'aws-cdk-lib'; import { FileSyncStack } from 'file-sync-api'; ${body}`,
    ],
    [
      'CommonJS',
      'app.cjs',
      `const { App, DefaultStackSynthesizer } = require('aws-cdk-lib'); const { FileSyncStack } = require('file-sync-api'); ${body}`,
    ],
  ])('has the same template and the same code as from the repository, in %s', async (_, file, source) => {
    const outcome = await synthesize(file, source);
    expect(outcome.code, outcome.stderr).toBe(0);
    const output = join(packed.consumer, `${file}.out`);
    for (const stage of ['prod', 'dev']) {
      const ours = join(packed.project, stage);
      const name = `file-sync-${stage}.template.json`;
      expect(await jsonOf(output, name)).toEqual(await jsonOf(ours, name));
      const assets = (await readdir(ours)).filter((entry) => entry.startsWith('asset.'));
      expect(assets.length).toBeGreaterThan(5);
      expect(await readdir(output)).toEqual(expect.arrayContaining(assets));
    }
  });

  it('is exported with what it needs', async () => {
    const script = 'console.log(JSON.stringify(Object.keys(require("file-sync-api")).sort()))';
    const { stdout } = await run(packed.consumer, [process.execPath, '-e', script]);
    expect(JSON.parse(stdout)).toEqual(Object.keys(source).toSorted());
  });

  it('refuses a wrong setting in the words of the repository', async () => {
    const outcome = await synthesize(
      'wrong.mjs',
      `import { App } from 'aws-cdk-lib';
       import { ConfigurationError, FileSyncStack } from 'file-sync-api';
       try {
         new FileSyncStack(new App(), 'file-sync-prod', { configuration: { tokenLifetimeSeconds: '1h' } });
       } catch (error) {
         console.log(error instanceof ConfigurationError, error.message);
       }`,
    );
    const refusal =
      'The value "1h" of tokenLifetimeSeconds is not allowed: it must be a whole number from 60 to 86400.';
    expect(outcome).toMatchObject({ code: 0, stdout: `true ${refusal}\n` });
    expect(() =>
      createApp({ context: { tokenLifetimeSeconds: '1h' }, builtinCloudFormationValidation: false }),
    ).toThrow(refusal);
  });

  it('has types that an app compiles with, and that are those of the code', async () => {
    await writeFile(join(packed.consumer, 'app.mts'), app);
    await writeFile(join(packed.consumer, 'app.cts'), app);
    await writeFile(join(packed.consumer, 'comparison.mts'), comparison);
    expect(errorsIn(packed.consumer, ['app.mts', 'app.cts', 'comparison.mts'])).toEqual([]);
  });

  it('has the meaning, the limits and the default of each setting in its types', async () => {
    const types = await readFile(
      join(packed.consumer, 'node_modules/file-sync-api/dist/package/index.d.cts'),
      'utf8',
    );
    expect(types).toContain(
      '  /** How long an access token is valid, in seconds. It must be a whole number from 60 to 86400. Default: 3600. */\n' +
        '  readonly tokenLifetimeSeconds: number;\n',
    );
    expect(types).not.toMatch(/\]\(|import\("/);
  });
});

describe('the tools of the package', () => {
  const tool = (name: string, parameters: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run(packed.consumer, [join('node_modules', '.bin', name), ...parameters], env);

  it.each(['file-sync-admin', 'file-sync-upload'])(
    'run by their names, with Node.js alone: %s',
    async (name) => {
      const { version } = await jsonOf(projectRoot, 'package.json');
      expect(await tool(name, ['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
      expect((await tool(name, ['--help'])).stdout).toMatch(new RegExp(`^Usage: ${name} `));
    },
  );

  it('have the assets of the console where it looks for them', async () => {
    const folder = join(packed.consumer, 'node_modules/file-sync-api/dist/package');
    const admin = await readFile(join(folder, 'file-sync-admin.mjs'), 'utf8');
    expect(admin).toMatch(/new URL\(`\.\/assets\/\$\{name\}`, import\.meta\.url\)/);
    expect(admin).toContain('ours("htmx.js")');
    expect(admin).not.toContain('htmx.org/dist');
    expect(await readFile(join(folder, 'assets/htmx.js'), 'utf8')).toBe(
      await readFile(join(projectRoot, 'node_modules/htmx.org/dist/htmx.min.js'), 'utf8'),
    );
  });

  it('find a deployment with the credentials of a profile', async () => {
    const asked: string[] = [];
    const server = createServer(async (request, response) => {
      asked.push(`${request.headers.authorization} ${await text(request)}`);
      const problem =
        '<Code>ValidationError</Code><Message>Stack with id our-uploads does not exist</Message>';
      response.writeHead(400).end(`<ErrorResponse><Error>${problem}</Error></ErrorResponse>`);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const credentials = join(packed.consumer, 'credentials');
    await writeFile(credentials, '[ours]\naws_access_key_id = OURKEY\naws_secret_access_key = secret\n');
    const outcome = await tool('file-sync-admin', ['--stack', 'our-uploads', 'client', 'list'], {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_PROFILE: 'ours',
      AWS_SHARED_CREDENTIALS_FILE: credentials,
      AWS_CONFIG_FILE: join(packed.consumer, 'none'),
      AWS_REGION: 'eu-central-1',
    });
    server.close();
    expect(asked[0]).toMatch(/Credential=OURKEY\/.*Action=DescribeStacks.*StackName=our-uploads/);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^error: .*our-uploads/);
  });
});

describe('the package.json', () => {
  let folder: string;
  const manifest = async () => readFile(join(folder, 'package.json'), 'utf8');
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-sync-manifest-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('of the repository comes back after an `npm pack` that was stopped', async () => {
    const repository = await readFile(join(projectRoot, 'package.json'), 'utf8');
    await writeFile(join(folder, 'package.json'), repository);
    await putPackedManifest(folder);
    const once = await manifest();
    expect(once).not.toBe(repository);
    await putPackedManifest(folder);
    expect(await manifest()).toBe(once);
    await restoreManifest(folder);
    expect(await manifest()).toBe(repository);
    await restoreManifest(folder);
    expect(await manifest()).toBe(repository);
  });

  it('of a package is not made from that of a package', async () => {
    const repository = await jsonOf(projectRoot, 'package.json');
    expect(() => packedManifest(packedManifest(repository))).toThrow('dependencies');
    expect(() => packedManifest({ ...repository, dependencies: {} })).toThrow(
      'package.json has no aws-cdk-lib',
    );
  });
});
