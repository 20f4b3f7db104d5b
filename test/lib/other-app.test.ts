import { App, DefaultStackSynthesizer, type IReusableStackSynthesizer } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { FileSyncStack, type FileSyncStackProps } from '../../lib/file-sync-stack.ts';
import { synthesized, type TemplateDocument, withoutBundling } from '../support/synthesized.ts';

/** The stack in an app that is not ours, as the package's users have it. */

const otherApp = (context: Readonly<Record<string, unknown>> = {}) =>
  new App({ builtinCloudFormationValidation: false, context: { ...withoutBundling, ...context } });

/** The permission of a rule has the path of the stack in its logical ID. It can be replaced without a loss. */
const lastingIds = ({ Resources }: TemplateDocument) =>
  Object.keys(Resources).filter((id) => Resources[id]?.Type !== 'AWS::Lambda::Permission');

const documentOf = (stack: FileSyncStack) => Template.fromStack(stack).toJSON() as TemplateDocument;

const withoutBootstrapRule: FileSyncStackProps = {
  synthesizer: new DefaultStackSynthesizer({
    generateBootstrapVersionRule: false,
  }) as IReusableStackSynthesizer,
};

describe('the stack in another app', () => {
  it.each([
    ['that sets no feature flag', {}],
    ['that merges policies', { '@aws-cdk/aws-iam:minimizePolicies': true }],
    ['with settings of its own in the context', { stage: 'dev', tokenLifetimeSeconds: '1h' }],
  ])('%s has the same template as in ours', (_, context) => {
    const stack = new FileSyncStack(otherApp(context), 'file-sync-prod', withoutBootstrapRule);
    expect(documentOf(stack)).toEqual(synthesized().document);
  });

  it('has the resources and outputs of ours under every id, name and environment', () => {
    const stack = new FileSyncStack(otherApp(), 'Uploads', {
      configuration: { stage: 'dev' },
      stackName: 'our-uploads',
      env: { account: '111122223333', region: 'eu-central-1' },
    });
    const [theirs, ours] = [documentOf(stack), synthesized({ stage: 'dev' }).document];
    expect(stack.stackName).toBe('our-uploads');
    expect(lastingIds(theirs)).toEqual(lastingIds(ours));
    expect(Object.keys(theirs.Outputs)).toEqual(Object.keys(ours.Outputs));
    expect(stack.resolve(stack.outputs.BaseUrl.value)).toEqual(theirs.Outputs.BaseUrl?.Value);
  });

  it('is not made with a wrong setting', () => {
    const wrong = { configuration: { tokenLifetimeSeconds: 59 } };
    expect(() => new FileSyncStack(otherApp(), 'Uploads', wrong)).toThrow(
      'The value 59 of tokenLifetimeSeconds is not allowed: it must be a whole number from 60 to 86400.',
    );
  });
});
