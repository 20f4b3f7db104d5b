import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ResourceDifference, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { createApp } from '../../../lib/file-sync-app.ts';
import { lossesOf } from '../../../tools/verify/upgrade/losses.ts';
import { verify } from '../../support/run-verify.ts';
import { synthesized, withoutBundling } from '../../support/synthesized.ts';
import { missingStack, stackReply, startFakeAccount, xml } from '../admin/support/fake-account.ts';

const name = 'file-sync-prod';

type Change = (resources: Record<string, object>) => void;

/** Returns the logical IDs that begin with the given text. */
const idsOf = (resources: object, start: string) =>
  Object.keys(resources).filter((id) => id.startsWith(start));

/**
 * Sets a value of the only resource whose logical ID begins with `start`. Dots separate the names in the
 * path.
 */
const set =
  (start: string, path: string, value: unknown): Change =>
  (resources) => {
    const [id = '', ...others] = idsOf(resources, start);
    expect(others).toEqual([]);
    const names = path.split('.');
    const last = names.pop() ?? '';
    const holder = names.reduce<object>((object, key) => Reflect.get(object, key), resources[id] ?? {});
    expect(Reflect.has(holder, last)).toBe(true);
    Reflect.set(holder, last, value);
  };

const remove =
  (start: string): Change =>
  (resources) => {
    for (const id of idsOf(resources, start)) {
      delete resources[id];
    }
  };

const makeIndexes =
  (...names: readonly string[]): Change =>
  (resources) => {
    const { Properties } = Object(resources[idsOf(resources, clients)[0] ?? '']);
    for (const AttributeName of names) {
      Properties.AttributeDefinitions.push({ AttributeName, AttributeType: 'S' });
      Properties.GlobalSecondaryIndexes.push({
        IndexName: AttributeName,
        KeySchema: [{ AttributeName, KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      });
    }
  };

const clients = 'ClientsTable';
const bucket = 'UploadsBucket6';

/** Lists the losses of an update from the deployed stack to a changed one. */
function lossesAfter(change: Change, terminationProtection = false) {
  const document = { ...synthesized().document };
  const template = structuredClone(document);
  change(template.Resources as Record<string, object>);
  return lossesOf(
    name,
    { template: document, terminationProtection },
    { template: { ...template }, terminationProtection: false },
  );
}

test.for<[string, string, Change, RegExp]>([
  [
    'gives the key of a table another type',
    clients,
    set(clients, 'Properties.AttributeDefinitions.0.AttributeType', 'N'),
    /The type of the key attribute client_id changes/,
  ],
  ['makes two indexes of one table', clients, makeIndexes('one', 'two'), /create one, create two/],
])('an update is rejected when it %s', ([, start, change, says]) => {
  const losses = lossesAfter(change);
  expect(losses).toEqual([expect.objectContaining({ what: expect.stringMatching(says) })]);
  expect(losses[0]?.subject).toMatch(start);
});

test.for([
  ['SigningKeyEncryptionKey', 'DeletionPolicy'],
  [clients, 'UpdateReplacePolicy'],
  [clients, 'Properties.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled'],
  [bucket, 'Properties.VersioningConfiguration.Status'],
  [bucket, 'Properties.PublicAccessBlockConfiguration.BlockPublicAcls'],
  [bucket, 'Properties.PublicAccessBlockConfiguration.BlockPublicPolicy'],
  [bucket, 'Properties.PublicAccessBlockConfiguration.IgnorePublicAcls'],
  [bucket, 'Properties.PublicAccessBlockConfiguration.RestrictPublicBuckets'],
] as const)('an update is rejected when %s is no longer protected by %s', ([start, path]) => {
  const what = `${path.replace('Properties.', '')} no longer protects it.`;
  expect(lossesAfter(set(start, path, undefined))).toMatchObject([{ what }]);
});

const version = (Resources: object) => ({ template: { Resources }, terminationProtection: false });

describe('an update that would lose stored data is rejected', () => {
  const stackWith = (Type: string) => version({ Held: { Type } });
  test.for([
    ['AWS::DynamoDB::Table', 'TableName'],
    ['AWS::S3::Bucket', 'BucketName'],
    ['AWS::SecretsManager::Secret', 'Name'],
    ['AWS::SQS::Queue', 'QueueName'],
    ['AWS::Events::EventBus', 'Name'],
    ['AWS::ApiGatewayV2::Api', 'ProtocolType'],
    ['AWS::ApiGatewayV2::DomainName', 'DomainName'],
  ] as const)('when a new %s follows from %s', ([Type, property]) => {
    const after = version({ Held: { Type, Properties: { [property]: 'new' } } });
    const what = `A change of ${property} replaces it.`;
    expect(lossesOf(name, stackWith(Type), after)).toMatchObject([{ subject: 'Held', what }]);
  });

  test.for([
    [
      'another type takes its place',
      'AWS::S3::Bucket',
      { Held: { Type: 'AWS::SNS::Topic' } },
      'Its type changes from AWS::S3::Bucket to AWS::SNS::Topic.',
    ],
    // No change of a property replaces a key.
    ['it goes', 'AWS::KMS::Key', {}, 'The new version has no AWS::KMS::Key with this logical ID.'],
  ] as const)('when %s', ([, Type, after, what]) => {
    expect(lossesOf(name, stackWith(Type), version(after))).toMatchObject([{ subject: 'Held', what }]);
  });

  // No property of these types has this impact now.
  test('when a change only may replace it', () => {
    vi.spyOn(ResourceDifference.prototype, 'changeImpact', 'get').mockReturnValue(ResourceImpact.MAY_REPLACE);
    const after = version({ Held: { Type: 'AWS::S3::Bucket', Properties: { Tags: [] } } });
    const what = expect.stringMatching(/may replace it\.$/);
    expect(lossesOf(name, stackWith('AWS::S3::Bucket'), after)).toMatchObject([{ subject: 'Held', what }]);
  });
});

test('an update is rejected when it leaves nothing that protects the stack', () => {
  expect(lossesAfter(() => undefined, true)).toEqual([]);
  const losses = lossesAfter(remove('Protection'), true);
  expect(losses).toEqual([expect.objectContaining({ subject: name })]);
});

test.for<[string, Change]>([
  ['makes one index', makeIndexes('one')],
  ['removes a function with its log group, which is retained', remove('ProtectionProtect')],
  ['describes the KMS key in other words', set('SigningKeyEncryptionKey', 'Properties.Description', 'Other')],
])('an update may be deployed when it %s', ([, change]) => {
  expect(lossesAfter(change)).toEqual([]);
});

describe('at the end of v0, beside which v1 serves, an update', () => {
  const [v0, v1] = ['GET /v0/volumes', 'GET /v1/volumes'];
  const route = (RouteKey: string) => ({ Type: 'AWS::ApiGatewayV2::Route', Properties: { RouteKey } });
  const stage = (RouteSettings: object) => ({
    Type: 'AWS::ApiGatewayV2::Stage',
    Properties: { RouteSettings },
  });
  const both = { old: route(v0), next: route(v1) };
  const served = version({ ...both, stage: stage({ [v0]: {}, [v1]: {} }) });
  const later = stage({ [v1]: {} });
  const unlimited = version({ ...both, stage: later });
  const ended = version({ next: route(v1), stage: later });

  test.for([
    ['is rejected when the route goes with its limit', served, ended, [v0]],
    ['may take the limit first', served, unlimited, []],
    ['may then take the route', unlimited, ended, []],
  ] as const)('%s', ([, before, after, rejected]) => {
    expect(lossesOf(name, before, after).map(({ subject }) => subject)).toEqual(rejected);
  });
});

describe('npm run verify -- --upgrade', async () => {
  const folder = await temporaryFolder();
  const context = withoutBundling;
  createApp({ context, outdir: folder, builtinCloudFormationValidation: false }).app.synth();
  const templateFile = join(folder, `${name}.template.json`);
  const template = await readFile(templateFile, 'utf8');
  const account = await startFakeAccount();

  function check(status: string, assembly = folder) {
    const protection = '<EnableTerminationProtection>true</EnableTerminationProtection>';
    const stored = `<TemplateBody><![CDATA[${template}]]></TemplateBody>`;
    account.replies = {
      DescribeStacks: status === 'absent' ? missingStack : stackReply(status, protection),
      GetTemplate: { body: xml('GetTemplate', stored) },
    };
    const parameters = ['--upgrade', '--stack', name, '--app', assembly];
    return verify(parameters, { awsConfig: account.deployment.awsConfig });
  }

  test('prints that nothing would be lost, and lists omitted checks', async () => {
    const { code, stdout } = await check('UPDATE_COMPLETE');
    expect(code).toBe(0);
    expect(stdout).toContain(`Nothing would be lost. Deploy it: npx cdk deploy --app ${folder}`);
    expect(stdout).toContain('The contract of the API was not checked');
  });

  test.for(['absent', 'ROLLBACK_COMPLETE'])('has nothing to lose where the stack is %s', async (now) => {
    const { code, stdout } = await check(now);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('So there is nothing to lose.'),
    });
  });

  async function checkAfter(change: Change) {
    const changed = JSON.parse(template);
    change(changed.Resources);
    await writeFile(templateFile, JSON.stringify(changed));
    return check('UPDATE_ROLLBACK_COMPLETE');
  }

  test('sees whether the deployed stack is protected from deletion', async () => {
    expect((await checkAfter(remove('Protection'))).stdout).toContain('loses its termination protection');
  });

  test('prints each loss with its reason and the next step, and exits 1', async () => {
    const { code, stdout } = await checkAfter(remove(bucket));
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /\nUploadsBucket\S+\n {2}What: .+\n {2}Why not: .+\n {2}Do: .+\n\nDo not deploy this: one finding\.\n$/,
    );
  });

  test('without a cloud assembly, it exits 2 with the next step', async () => {
    const { code, stderr } = await check('UPDATE_COMPLETE', join(folder, 'none'));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('npx cdk synth -q -c stage=prod'),
    });
  });
});
