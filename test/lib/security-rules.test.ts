import { App, Stack, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { routes } from '../../contract/routes.ts';
import { everySetting, synthesized } from '../support/synthesized.ts';

/** Returns the findings of the AwsSolutions rules of cdk-nag in the app of a stack. */
function findingsIn({ node }: IConstruct): readonly string[] {
  const { violations } = new AwsSolutionsChecks(node.root).validateScope(node.root);
  return violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ resourceLogicalId }) => `${resourceLogicalId} ${ruleName}`),
  );
}

/** Returns the exceptions from the rules, with the reason beside the resource. */
function acknowledgedIn(stack: IConstruct): readonly (readonly [string, string])[] {
  return stack.node
    .findAll()
    .flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) =>
          Object.entries(data as Record<string, string>).map(([rule, reason]): [string, string] => [
            `${node.path.replace(`${stack.node.path}/`, '')} ${rule.replace(/^Annotation::/, '')}`,
            reason,
          ]),
        ),
    );
}

const route = (name: string) => `Api/${name}Route AwsSolutions-APIG4`;
const uploads = 'AwsSolutions-IAM5[Resource::<UploadsBucket6E76B673.Arn>/uploads/*]';

const acknowledged = [
  'UploadsBucket AwsSolutions-S1',
  'SigningKey/KeySet AwsSolutions-SMG4',
  'SigningKey/PrivateKeys AwsSolutions-SMG4',
  ...Object.entries(routes).flatMap(([name, { needs }]) => {
    const id = name.charAt(0).toUpperCase() + name.slice(1);
    return needs === 'nothing' ? [route(id), `Api/${id}HeadRoute AwsSolutions-APIG4`] : [route(id)];
  }),
  `Sync/Signer/Role ${uploads}`,
  `Recorder/Record/Role ${uploads}`,
  `Reconciler/Reconcile/Role ${uploads}`,
  'Recorder/DeadLetters AwsSolutions-SQS3',
];

describe('the AwsSolutions rules of cdk-nag', () => {
  it.each([
    ['prod', {}],
    ['dev, with every setting', everySetting],
  ])('report only findings that are acknowledged with a reason: %s', (_, context) => {
    const { stack } = synthesized(context);
    expect(findingsIn(stack)).toEqual([]);
    const found = acknowledgedIn(stack);
    expect(found.map(([rule]) => rule).sort()).toEqual([...acknowledged].sort());
    expect(found.filter(([, reason]) => reason.length < 50)).toEqual([]);
  });

  it('report the violations of a stack that follows no rules', () => {
    const careless = new Stack(new App(), 'Careless');
    new Bucket(careless, 'Bucket');
    expect(findingsIn(careless).join()).toMatch(/AwsSolutions-S1\b.*AwsSolutions-S10\b/);
  });
});
