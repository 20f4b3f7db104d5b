import { App, DefaultStackSynthesizer, type IReusableStackSynthesizer } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { FileSyncStack } from '../../lib/file-sync-stack.ts';
import { propertiesOf, synthesized, type TemplateDocument, withoutBundling } from '../support/synthesized.ts';

/** The stack in another app (docs/deployment.md, "In a CDK app of your own"). */

const otherApp = (context: Readonly<Record<string, unknown>>) =>
  new App({ builtinCloudFormationValidation: false, context: { ...withoutBundling, ...context } });

const documentOf = (stack: FileSyncStack) => Template.fromStack(stack).toJSON() as TemplateDocument;

it('has our template, whatever flags and settings that app has', () => {
  const app = otherApp({
    '@aws-cdk/aws-iam:minimizePolicies': true,
    stage: 'dev',
    tokenLifetimeSeconds: '1h',
  });
  const stack = new FileSyncStack(app, 'file-sync-prod', {
    synthesizer: new DefaultStackSynthesizer({
      generateBootstrapVersionRule: false,
    }) as IReusableStackSynthesizer,
  });
  expect(documentOf(stack)).toEqual(synthesized().document);
});

it('has our resources and outputs under every id and name', () => {
  const stack = new FileSyncStack(otherApp({}), 'Uploads', {
    configuration: { stage: 'dev' },
    stackName: 'our-uploads',
    env: { account: '111122223333', region: 'eu-central-1' },
  });
  const [theirs, ours] = [documentOf(stack), synthesized({ stage: 'dev' }).document];
  // The logical ID of a rule's permission contains the path of the stack. The permission can be replaced
  // without a loss.
  const lastingIds = ({ Resources }: TemplateDocument) =>
    Object.keys(Resources).filter((id) => Resources[id]?.Type !== 'AWS::Lambda::Permission');
  expect(stack.stackName).toBe('our-uploads');
  expect(lastingIds(theirs)).toEqual(lastingIds(ours));
  expect(Object.keys(theirs.Outputs)).toEqual(Object.keys(ours.Outputs));
  expect(stack.resolve(stack.outputs.BaseUrl.value)).toEqual(theirs.Outputs.BaseUrl?.Value);
});

it('may give the bucket a log and a namespace, as an organisation requires', () => {
  const fileSync = new FileSyncStack(otherApp({}), 'Uploads');
  for (const bucket of fileSync.node.findAll().filter((child) => child instanceof CfnBucket)) {
    bucket.loggingConfiguration = { destinationBucketName: 'our-access-logs', logFilePrefix: 'file-sync/' };
    bucket.bucketNamespace = 'account-regional';
    bucket.bucketNamePrefix = 'file-sync';
  }
  expect(propertiesOf(documentOf(fileSync), 'AWS::S3::Bucket')).toEqual([
    expect.objectContaining({
      LoggingConfiguration: { DestinationBucketName: 'our-access-logs', LogFilePrefix: 'file-sync/' },
      BucketNamespace: 'account-regional',
      BucketNamePrefix: 'file-sync',
    }),
  ]);
});
