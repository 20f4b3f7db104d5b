import type {
  AdvancedFieldSelector,
  EventSelector,
  GetEventSelectorsCommandOutput,
} from '@aws-sdk/client-cloudtrail';
import { cloudTrailClient } from '../deployment/aws-clients.ts';
import { isAccessDenied } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type CheckResult, ok } from './finding.ts';

/** Reports the trails that keep reads of content. A trail is optional, so a missing one is not a failure. */
export async function checkAudit(deployment: Deployment): Promise<CheckResult> {
  try {
    const trails = await trailsOfReads(deployment);
    return ok(
      trails.length === 0
        ? 'no trail keeps reads of this bucket: see "Audit" in docs/operations.md'
        : `reads of this bucket are kept by ${trails.join(', ')}`,
    );
  } catch (error) {
    if (isAccessDenied(error)) {
      return ok('unknown: these credentials may not read the trails of CloudTrail');
    }
    throw error;
  }
}

/** Returns the names of the trails that log GetObject on the bucket of the stack. */
async function trailsOfReads(deployment: Deployment): Promise<readonly string[]> {
  const cloudTrail = await cloudTrailClient(deployment);
  const { trailList = [] } = await cloudTrail.describeTrails({});
  const found = await Promise.all(
    trailList.map(async ({ Name = '', TrailARN = '' }) => {
      const [{ IsLogging }, selectors] = await Promise.all([
        cloudTrail.getTrailStatus({ Name: TrailARN }),
        cloudTrail.getEventSelectors({ TrailName: TrailARN }),
      ]);
      const objects = `arn:${TrailARN.split(':')[1]}:s3:::${deployment.outputs.BucketName}/`;
      return IsLogging && selectsReads(selectors, objects) ? [Name] : [];
    }),
  );
  return found.flat();
}

/**
 * Returns true if the selectors of a trail select GetObject
 * (https://docs.aws.amazon.com/awscloudtrail/latest/userguide/logging-data-events-with-cloudtrail.html).
 *
 * @param objects ARN of all objects of a bucket
 */
function selectsReads(
  { AdvancedEventSelectors = [], EventSelectors = [] }: GetEventSelectorsCommandOutput,
  objects: string,
): boolean {
  const read: Readonly<Record<string, string>> = {
    eventCategory: 'Data',
    eventName: 'GetObject',
    readOnly: 'true',
    'resources.type': 'AWS::S3::Object',
    'resources.ARN': objects,
  };
  const matches = ({ Field = '', ...condition }: AdvancedFieldSelector) => {
    const { [Field]: value = '' } = read;
    const { Equals = [value], NotEquals = [], StartsWith = [''], NotStartsWith = [] } = condition;
    const isStart = (start: string) => value.startsWith(start);
    return (
      Equals.includes(value) &&
      !NotEquals.includes(value) &&
      StartsWith.some(isStart) &&
      !NotStartsWith.some(isStart)
    );
  };
  const matchesBasic = ({ ReadWriteType, DataResources = [] }: EventSelector) =>
    ReadWriteType !== 'WriteOnly' &&
    DataResources.some(({ Values = [] }) => Values.some((start) => objects.startsWith(start)));
  return (
    AdvancedEventSelectors.some(({ FieldSelectors = [] }) => FieldSelectors.every(matches)) ||
    EventSelectors.some(matchesBasic)
  );
}
