import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { stsClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/** Conditions on one field of an event. */
interface Condition {
  readonly Field: string;
  readonly Equals?: readonly string[];
  readonly StartsWith?: readonly string[];
  readonly NotEquals?: readonly string[];
}

/** Selectors of a trail: of one of the two kinds. */
interface Selectors {
  readonly AdvancedEventSelectors?: readonly { readonly FieldSelectors: readonly Condition[] }[];
  readonly EventSelectors?: readonly BasicSelector[];
}

interface BasicSelector {
  readonly ReadWriteType?: string;
  readonly DataResources?: readonly { readonly Type: string; readonly Values: readonly string[] }[];
}

/** Responses by operation. */
interface Responses {
  readonly DescribeTrails: {
    readonly trailList: readonly { readonly Name: string; readonly TrailARN: string }[];
  };
  readonly GetTrailStatus: { readonly IsLogging: boolean };
  readonly GetEventSelectors: Selectors;
}

/** Returns the names of the trails that log GetObject on the bucket of the stack. */
export async function trailsOfReads(deployment: Deployment): Promise<readonly string[]> {
  const { trailList } = await callCloudTrail(deployment, 'DescribeTrails', {});
  const found = await Promise.all(
    trailList.map(async ({ Name, TrailARN }) => {
      const [status, selectors] = await Promise.all([
        callCloudTrail(deployment, 'GetTrailStatus', { Name: TrailARN }),
        callCloudTrail(deployment, 'GetEventSelectors', { TrailName: TrailARN }),
      ]);
      const objects = `arn:${TrailARN.split(':')[1]}:s3:::${deployment.outputs.BucketName}/`;
      return status.IsLogging && selectsReads(selectors, objects) ? [Name] : [];
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
  { AdvancedEventSelectors = [], EventSelectors = [] }: Selectors,
  objects: string,
): boolean {
  const read: Readonly<Record<string, string>> = {
    eventCategory: 'Data',
    eventName: 'GetObject',
    readOnly: 'true',
    'resources.type': 'AWS::S3::Object',
    'resources.ARN': objects,
  };
  const matches = ({ Field, Equals, StartsWith = [''], NotEquals = [] }: Condition) => {
    const { [Field]: value = '' } = read;
    const isEqual = Equals?.includes(value) ?? !NotEquals.includes(value);
    return isEqual && StartsWith.some((start) => value.startsWith(start));
  };
  const matchesBasic = ({ ReadWriteType, DataResources = [] }: BasicSelector) =>
    ReadWriteType !== 'WriteOnly' &&
    DataResources.some(
      ({ Type, Values }) => Type === 'AWS::S3::Object' && Values.some((start) => objects.startsWith(start)),
    );
  return (
    AdvancedEventSelectors.some(({ FieldSelectors }) => FieldSelectors.every(matches)) ||
    EventSelectors.some(matchesBasic)
  );
}

/**
 * Calls CloudTrail. Its client in the SDK has no release with the version of the other clients.
 *
 * @throws {Error} with the name of the error of AWS
 */
async function callCloudTrail<Operation extends keyof Responses>(
  deployment: Deployment,
  operation: Operation,
  input: object,
): Promise<Responses[Operation]> {
  const { config } = await stsClient(deployment);
  const [region, credentials] = await Promise.all([config.region(), config.credentials()]);
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const url = new URL(deployment.awsConfig.endpoint ?? `https://cloudtrail.${region}.${domain}`);
  const request = new HttpRequest({
    method: 'POST',
    hostname: url.hostname,
    path: '/',
    headers: {
      host: url.host,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `com.amazonaws.cloudtrail.v20131101.CloudTrail_20131101.${operation}`,
    },
    body: JSON.stringify(input),
  });
  const signer = new SignatureV4({
    credentials,
    region,
    service: 'cloudtrail',
    sha256: Hash.bind(null, 'sha256'),
  });
  const { headers, body } = await signer.sign(request, { signingDate: new Date(deployment.now()) });
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) });
  if (!response.ok) {
    const { __type, message } = (await response.json()) as {
      readonly __type: string;
      readonly message?: string;
    };
    throw Object.assign(new Error(message), { name: __type.split('#').at(-1) });
  }
  return (await response.json()) as Responses[Operation];
}
