import { App, Stack, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../contract/routes.ts';
import { createApp } from '../../lib/file-sync-app.ts';
import { stages } from '../../lib/settings.ts';
import { withoutBundling } from '../support/synthesized.ts';

interface Acknowledged {
  readonly path: string;
  readonly rule: string;
  readonly reason: string;
}

function acknowledgedIn(app: App): readonly Acknowledged[] {
  return app.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) =>
        Object.entries(data as Record<string, string>).map(([rule, reason]) => ({
          path: node.path,
          rule: rule.replace(/^Annotation::/, ''),
          reason,
        })),
      ),
  );
}

const route = (name: string) => `Api/${name}Route AwsSolutions-APIG4`;
const uploads = 'AwsSolutions-IAM5[Resource::<UploadsBucket6E76B673.Arn>/uploads/*]';

/** Where a rule does not apply; the reasons stand beside the resources. */
const acknowledgedFindings = [
  'UploadsBucket AwsSolutions-S1',
  'SigningKey/KeySet AwsSolutions-SMG4',
  'SigningKey/PrivateKeys AwsSolutions-SMG4',
  ...Object.keys(routes).map((name) => route(name.charAt(0).toUpperCase() + name.slice(1))),
  `Sync/Signer/Role ${uploads}`,
  `Recorder/Record/Role ${uploads}`,
  `Reconciler/Reconcile/Role ${uploads}`,
  'Recorder/DeadLetters AwsSolutions-SQS3',
];

/** The settings that add what the rules look at. */
const everySetting = {
  v0DeprecatedAt: '2030-01-31T00:00:00Z',
  v0SunsetAt: '2031-01-31T00:00:00Z',
};

const setUps = stages.flatMap((stage) => [
  { name: stage, stage, context: {} },
  { name: `${stage} with every setting`, stage, context: everySetting },
]);

describe.each(setUps)('AwsSolutions rules of cdk-nag, stage $name', ({ stage, context }) => {
  let app: App;
  beforeAll(() => {
    const alarmEmail = 'alarms@example.com';
    app = createApp({
      context: { ...withoutBundling, ...context, stage, monitoring: 'full', alarmEmail },
    }).app;
  });

  it('find nothing but what is acknowledged', () => {
    const report = new AwsSolutionsChecks(app).validateScope(app);
    const findings = report.violations.map(({ ruleName, violatingResources }) => ({
      ruleName,
      resources: violatingResources.map(({ resourceLogicalId }) => resourceLogicalId),
    }));
    expect(findings).toEqual([]);
  });

  it('are acknowledged where they do not apply, each with a reason', () => {
    const acknowledged = acknowledgedIn(app);
    const shown = acknowledged.map(({ path, rule }) => `${path} ${rule}`.replace(`file-sync-${stage}/`, ''));
    expect(shown.sort()).toEqual([...acknowledgedFindings].sort());
    for (const { reason, rule } of acknowledged) {
      expect(reason.length, rule).toBeGreaterThan(50);
    }
  });
});

describe('AwsSolutions rules of cdk-nag, with a domain', () => {
  it('find nothing but what is acknowledged', () => {
    const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/a';
    const { app } = createApp({
      context: {
        ...withoutBundling,
        domainName: 'files.example.com',
        certificateArn,
        hostedZoneId: 'Z0123456789ABC',
      },
    });
    const { violations } = new AwsSolutionsChecks(app).validateScope(app);
    expect(violations.map(({ ruleName }) => ruleName)).toEqual([]);
  });
});

describe('the check itself', () => {
  it('finds what is wrong with a stack that follows no rules', () => {
    const app = new App();
    new Bucket(new Stack(app, 'Careless'), 'Bucket');
    const found = new AwsSolutionsChecks(app).validateScope(app).violations.map(({ ruleName }) => ruleName);
    expect(found).toEqual(expect.arrayContaining(['AwsSolutions-S1', 'AwsSolutions-S10']));
  });
});
