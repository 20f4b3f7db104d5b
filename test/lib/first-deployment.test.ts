import { stages } from '../../lib/settings.ts';
import { readable, resourcesOf, synthesized, type TemplateDocument } from '../support/synthesized.ts';

/**
 * A failed first deployment is rolled back completely and can be repeated. The properties tested here control
 * this in CloudFormation (User Guide, "DeletionPolicy attribute").
 */

/** Property with which a template fixes the name of a resource, by type. */
const nameProperties: Readonly<Record<string, string>> = {
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::Events::EventBus': 'Name',
  'AWS::Events::Rule': 'Name',
  'AWS::IAM::Role': 'RoleName',
  'AWS::KMS::Alias': 'AliasName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::SQS::Queue': 'QueueName',
};

const isCustom = (type: string) => type.startsWith('Custom::');

/** The CDK's own custom resource, in dev: its function empties the bucket. */
const emptiesBucket = 'Custom::S3AutoDeleteObjects';

const idsWhere = (
  { Resources }: TemplateDocument,
  matches: (resource: TemplateDocument['Resources'][string]) => boolean,
) => Object.keys(Resources).filter((id) => matches(Resources[id] ?? { Type: '' }));

describe.each(stages)('a first deployment (%s)', (stage) => {
  const { document, stack } = synthesized({ stage });

  it('that fails leaves no resources after its rollback', () => {
    // A custom resource does not store data: its function changes another resource.
    expect(
      idsWhere(document, ({ DeletionPolicy, Type }) => DeletionPolicy === 'Retain' && !isCustom(Type)),
    ).toEqual([]);
  });

  it('whose functions never respond is rolled back', () => {
    const own = idsWhere(document, ({ Type }) => isCustom(Type) && Type !== emptiesBucket);
    expect(own.length).toBeGreaterThan(0);
    expect(
      idsWhere(document, ({ Type, DeletionPolicy }) => isCustom(Type) && DeletionPolicy === 'Retain'),
    ).toEqual(own);
    expect(own.map((id) => document.Resources[id]?.Properties?.ServiceTimeout)).toEqual(own.map(() => '300'));
  });

  it('protects neither the stack nor a table: a function does, later', () => {
    expect(stack.terminationProtection ?? false).toBe(false);
    expect(resourcesOf(document, 'AWS::DynamoDB::Table')).toHaveLength(4);
    expect(
      idsWhere(document, ({ Properties = {} }) => (Properties.DeletionProtectionEnabled ?? false) !== false),
    ).toEqual([]);
  });

  it('fixes no name that a second creation could find taken', () => {
    const named = idsWhere(document, ({ Type, Properties = {} }) =>
      Object.hasOwn(Properties, nameProperties[Type] ?? 'no such property'),
    );
    const names = named.map((id) => {
      const { Type, Properties = {}, DeletionPolicy } = document.Resources[id] ?? { Type: '' };
      return [readable(Properties[nameProperties[Type] ?? '']), DeletionPolicy];
    });
    expect(names).toEqual([
      // It may be retained. Each new creation creates another API.
      [`/aws/vendedlogs/file-sync-${stage}/<Api>`, stage === 'prod' ? 'RetainExceptOnCreate' : 'Delete'],
      // An event bus requires a name. This one is named after the stack, and is deleted with the stack.
      ['<AWS::StackName>-uploads', undefined],
    ]);
  });
});
