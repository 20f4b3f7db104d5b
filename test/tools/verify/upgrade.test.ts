import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../../lib/file-sync-app.ts';
import { runVerify } from '../../../tools/verify/program.ts';
import { withoutBundling } from '../../support/synthesized.ts';
import { TextCollector } from '../../support/text-stream.ts';

/** `npm run verify -- --upgrade` against a CloudFormation that answers over HTTP. */

interface Resource {
  Type: string;
  DeletionPolicy?: string;
  Properties: Record<string, unknown>;
}
interface Template {
  Resources: Record<string, Resource>;
}

const name = 'file-sync-prod';
let folder: string;
let deployed: Template;
let status: string;
let isProtected: boolean;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-upgrade-'));
  createApp({ context: withoutBundling, outdir: folder, builtinCloudFormationValidation: false }).app.synth();
  deployed = JSON.parse(await readFile(templateFile(), 'utf8'));
  server = createServer(async (request, response) => {
    const input = new URLSearchParams(await text(request));
    const known = status !== 'absent' && input.get('StackName') === name;
    response.statusCode = known ? 200 : 400;
    response.end(known ? answers[input.get('Action') ?? '']?.() : missing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  status = 'UPDATE_COMPLETE';
  isProtected = false;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const templateFile = () => join(folder, `${name}.template.json`);

const missing =
  '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>' +
  `<Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`;

const answers: Readonly<Record<string, () => string>> = {
  DescribeStacks: () =>
    '<DescribeStacksResponse><DescribeStacksResult><Stacks><member>' +
    `<StackName>${name}</StackName><StackStatus>${status}</StackStatus>` +
    `<EnableTerminationProtection>${isProtected}</EnableTerminationProtection>` +
    '</member></Stacks></DescribeStacksResult></DescribeStacksResponse>',
  GetTemplate: () =>
    `<GetTemplateResponse><GetTemplateResult><TemplateBody><![CDATA[${JSON.stringify(deployed)}]]></TemplateBody>` +
    '</GetTemplateResult></GetTemplateResponse>',
};

/** Synthesizes the deployed template with a change, and checks the upgrade to it. */
async function check(change: (template: Template) => void = () => undefined, parameters = ['--app', folder]) {
  const template = structuredClone(deployed);
  change(template);
  await writeFile(templateFile(), JSON.stringify(template));
  const stdout = new TextCollector({ isTTY: false });
  const stderr = Object.assign(new PassThrough(), { isTTY: false });
  const code = await runVerify(['--upgrade', '--stack', name, ...parameters], {
    stdin: new PassThrough(),
    stdout,
    stderr,
    env: {},
    openLocal: () => Promise.reject(new Error('No local run is opened')),
    openStack: () => Promise.reject(new Error('No stack is opened')),
    awsConfig: {
      region: 'eu-west-1',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    },
    sleep: async () => undefined,
    signal: new AbortController().signal,
  });
  const written = stdout.text;
  stderr.end();
  return {
    code,
    stdout: written,
    stderr: await text(stderr),
    subjects: [...written.matchAll(/^(\S+)\n {2}What: /gm)].map(([, subject]) => subject),
  };
}

/** A resource by the beginning of its logical ID. */
function found(template: Template, start: string): [string, Resource] {
  const [only, ...others] = Object.entries(template.Resources).filter(([id]) => id.startsWith(start));
  if (only === undefined || others.length > 0) {
    throw new Error(`${start} names ${others.length === 0 ? 'no resource' : 'several resources'}`);
  }
  return only;
}

const clients = 'ClientsTable';
const bucket = 'UploadsBucket6';
const indexNames = ['another-one', 'another-two'];

function addIndexes(template: Template, names: readonly string[]) {
  const { Properties } = found(template, clients)[1];
  const attributes = Properties.AttributeDefinitions as object[];
  attributes.push(...names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })));
  Properties.GlobalSecondaryIndexes = [
    ...((Properties.GlobalSecondaryIndexes ?? []) as object[]),
    ...names.map((AttributeName) => ({
      IndexName: AttributeName,
      KeySchema: [{ AttributeName, KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    })),
  ];
}

describe('an update is refused when it', () => {
  test.each<[string, string, (template: Template) => void, RegExp]>([
    [
      'removes the secret with the private keys',
      'SigningKeyPrivateKeys',
      ({ Resources }) => {
        const [id] = found({ Resources }, 'SigningKeyPrivateKeys');
        delete Resources[id];
      },
      /has no AWS::SecretsManager::Secret with this logical ID.*\n.*It stays in the account/,
    ],
    [
      'gives a table another key',
      clients,
      (template) => {
        found(template, clients)[1].Properties.KeySchema = [{ AttributeName: 'id', KeyType: 'HASH' }];
      },
      /A change of KeySchema replaces it/,
    ],
    [
      'gives the key of a table another type',
      clients,
      (template) => {
        const { Properties } = found(template, clients)[1];
        const [first] = Properties.AttributeDefinitions as { AttributeType: string }[];
        if (first) {
          first.AttributeType = 'N';
        }
      },
      /The type of the key attribute client_id changes/,
    ],
    [
      'makes two indexes of one table',
      clients,
      (template) => addIndexes(template, indexNames),
      /make another-one, make another-two/,
    ],
    [
      'retains the KMS key no longer',
      'SigningKeyEncryptionKey',
      (template) => {
        found(template, 'SigningKeyEncryptionKey')[1].DeletionPolicy = 'Delete';
      },
      /DeletionPolicy no longer protects it/,
    ],
    [
      'ends point-in-time recovery',
      clients,
      (template) => {
        delete found(template, clients)[1].Properties.PointInTimeRecoverySpecification;
      },
      /PointInTimeRecoveryEnabled no longer protects it/,
    ],
    [
      'ends the versions of the bucket',
      bucket,
      (template) => {
        found(template, bucket)[1].Properties.VersioningConfiguration = { Status: 'Suspended' };
      },
      /VersioningConfiguration.Status no longer protects it/,
    ],
    [
      'opens the bucket to the public',
      bucket,
      (template) => {
        const { Properties } = found(template, bucket)[1];
        Properties.PublicAccessBlockConfiguration = {
          ...(Properties.PublicAccessBlockConfiguration as object),
          BlockPublicPolicy: false,
        };
      },
      /BlockPublicPolicy no longer protects it/,
    ],
    [
      'gives the bucket another name',
      bucket,
      (template) => {
        found(template, bucket)[1].Properties.BucketName = 'another-bucket';
      },
      /A change of BucketName replaces it/,
    ],
  ])('%s', async (_, start, change, says) => {
    const { code, stdout, subjects, stderr } = await check(change);
    expect({ code, subjects, stderr }).toEqual({
      code: 1,
      subjects: [found(deployed, start)[0]],
      stderr: '',
    });
    expect(stdout).toMatch(says);
    expect(stdout).toMatch(/\n {2}Why not: .+\n {2}Do: .+\n\nDo not deploy this: one finding\.\n$/);
  });

  test('leaves nothing that protects the stack', async () => {
    isProtected = true;
    expect((await check()).code).toBe(0);
    const { code, subjects } = await check(({ Resources }) => {
      for (const [id, { Type }] of Object.entries(Resources)) {
        if (Type === 'AWS::IAM::Policy' && id.startsWith('Protection')) {
          delete Resources[id];
        }
      }
    });
    expect({ code, subjects }).toEqual({ code: 1, subjects: [name] });
  });
});

describe('an update may be deployed when it', () => {
  test.each<[string, (template: Template) => void]>([
    ['changes nothing', () => undefined],
    ['makes one index', (template) => addIndexes(template, indexNames.slice(0, 1))],
    [
      'adds a table and removes a function with its log group, which is retained',
      ({ Resources }) => {
        Resources.Another = structuredClone(found({ Resources }, clients)[1]);
        for (const id of Object.keys(Resources).filter((one) => one.startsWith('ProtectionProtect'))) {
          delete Resources[id];
        }
      },
    ],
    [
      'changes the code of a function and the description of the KMS key',
      (template) => {
        found(template, 'TokenFunction')[1].Properties.Code = { S3Bucket: 'b', S3Key: 'k' };
        found(template, 'SigningKeyEncryptionKey')[1].Properties.Description = 'Another one';
      },
    ],
  ])('%s', async (_, change) => {
    const { code, stdout, subjects } = await check(change);
    expect({ code, subjects }).toEqual({ code: 0, subjects: [] });
    expect(stdout).toContain("did not look at the API's contract");
    expect(stdout).toContain(`Nothing would be lost. Deploy it: npx cdk deploy --app ${folder}`);
  });

  test.each(['absent', 'ROLLBACK_COMPLETE'])('is the first: the stack is %s', async (now) => {
    status = now;
    const { code, stdout } = await check(({ Resources }) => {
      delete Resources[found({ Resources }, clients)[0]];
    });
    expect(code).toBe(0);
    expect(stdout).toContain('So there is nothing to lose.');
  });
});

test('without what was synthesized, it says to synthesize, with exit code 2', async () => {
  const { code, stderr } = await check(undefined, ['--app', join(folder, 'none')]);
  expect(code).toBe(2);
  expect(stderr).toContain('npx cdk synth -q -c stage=prod');
});
