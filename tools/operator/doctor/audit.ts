import type { AdvancedEventSelector, AdvancedFieldSelector } from '@aws-sdk/client-cloudtrail';
import { cloudTrailClient } from '../deployment/aws-clients.ts';
import { awsMessageOf } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type CheckResult, ok } from './finding.ts';

/** Names the trails that keep reads of content. A trail is optional, and so is the permission to read trails. */
export async function checkAudit(deployment: Deployment): Promise<CheckResult> {
  try {
    const names = await trailsOf(deployment);
    return ok(
      names.length > 0
        ? `reads of this bucket are kept by ${names.join(', ')}`
        : 'no trail with advanced selectors keeps reads of this bucket: see "Audit" in docs/operations.md',
    );
  } catch (error) {
    return ok(`unknown, because the trails cannot be read. ${awsMessageOf(error)}`);
  }
}

async function trailsOf(deployment: Deployment): Promise<string[]> {
  const cloudTrail = await cloudTrailClient(deployment);
  const { trailList = [] } = await cloudTrail.describeTrails({});
  const found = await Promise.all(
    trailList.map(async ({ Name = '', TrailARN = '' }) => {
      const { IsLogging } = await cloudTrail.getTrailStatus({ Name: TrailARN });
      const { AdvancedEventSelectors = [] } = await cloudTrail.getEventSelectors({ TrailName: TrailARN });
      const [, partition] = TrailARN.split(':');
      const objects = `arn:${partition}:s3:::${deployment.outputs.BucketName}/`;
      return IsLogging && selectsReads(AdvancedEventSelectors, objects) ? [Name] : [];
    }),
  );
  return found.flat();
}

/**
 * Returns true if advanced selectors select GetObject
 * (https://docs.aws.amazon.com/awscloudtrail/latest/userguide/logging-data-events-with-cloudtrail.html).
 *
 * @param objects ARN of all objects of a bucket
 */
function selectsReads(selectors: readonly AdvancedEventSelector[], objects: string): boolean {
  const read: Readonly<Record<string, string>> = {
    eventCategory: 'Data',
    eventName: 'GetObject',
    readOnly: 'true',
    'resources.type': 'AWS::S3::Object',
    'resources.ARN': objects,
  };
  const matches = ({ Field = '', ...condition }: AdvancedFieldSelector) => {
    const value = read[Field] ?? '';
    const { Equals = [value], NotEquals = [], StartsWith = [''], NotStartsWith = [] } = condition;
    const isStart = (start: string) => value.startsWith(start);
    return (
      Equals.includes(value) && StartsWith.some(isStart) && ![...NotEquals, ...NotStartsWith].some(isStart)
    );
  };
  return selectors.some(({ FieldSelectors = [] }) => FieldSelectors.every(matches));
}
