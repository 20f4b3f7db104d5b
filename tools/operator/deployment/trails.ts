import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import * as v from 'valibot';
import { stsClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

const texts = v.optional(v.array(v.string()));

/** Conditions on one field of an event: the field matches all of them. */
const fieldSchema = v.object({
  Field: v.string(),
  Equals: texts,
  StartsWith: texts,
  NotEquals: texts,
  NotStartsWith: texts,
});

/** A trail has selectors of one of the two kinds. */
const selectorsSchema = v.object({
  AdvancedEventSelectors: v.optional(v.array(v.object({ FieldSelectors: v.array(fieldSchema) })), []),
  EventSelectors: v.optional(
    v.array(
      v.object({
        ReadWriteType: v.optional(v.string(), 'All'),
        DataResources: v.optional(v.array(v.object({ Type: v.string(), Values: v.array(v.string()) })), []),
      }),
    ),
    [],
  ),
});

const trailsSchema = v.object({ trailList: v.array(v.object({ Name: v.string(), TrailARN: v.string() })) });
const statusSchema = v.object({ IsLogging: v.boolean() });

/** Returns the names of the trails that log GetObject on the bucket of the stack. */
export async function trailsOfReads(deployment: Deployment): Promise<readonly string[]> {
  const { trailList } = v.parse(trailsSchema, await callCloudTrail(deployment, 'DescribeTrails', {}));
  const found = await Promise.all(
    trailList.map(async ({ Name, TrailARN }) => {
      const [status, selectors] = await Promise.all([
        callCloudTrail(deployment, 'GetTrailStatus', { Name: TrailARN }),
        callCloudTrail(deployment, 'GetEventSelectors', { TrailName: TrailARN }),
      ]);
      const objects = `arn:${TrailARN.split(':')[1]}:s3:::${deployment.outputs.BucketName}/`;
      const isKept = v.parse(statusSchema, status).IsLogging && selectsReads(selectors, objects);
      return isKept ? [Name] : [];
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
function selectsReads(response: unknown, objects: string): boolean {
  const { AdvancedEventSelectors, EventSelectors } = v.parse(selectorsSchema, response);
  const read: Readonly<Record<string, string>> = {
    eventCategory: 'Data',
    eventName: 'GetObject',
    readOnly: 'true',
    'resources.type': 'AWS::S3::Object',
    'resources.ARN': objects,
  };
  const isAdvanced = AdvancedEventSelectors.some(({ FieldSelectors }) =>
    FieldSelectors.every(({ Field, Equals, StartsWith, NotEquals, NotStartsWith }) => {
      const value = read[Field];
      return (
        value === undefined ||
        (Equals?.includes(value) !== false &&
          StartsWith?.some((start) => value.startsWith(start)) !== false &&
          !NotEquals?.includes(value) &&
          !NotStartsWith?.some((start) => value.startsWith(start)))
      );
    }),
  );
  const isBasic = EventSelectors.some(
    ({ ReadWriteType, DataResources }) =>
      ReadWriteType !== 'WriteOnly' &&
      DataResources.some(
        ({ Type, Values }) => Type === 'AWS::S3::Object' && Values.some((start) => objects.startsWith(start)),
      ),
  );
  return isAdvanced || isBasic;
}

const errorSchema = v.object({ __type: v.string(), message: v.optional(v.string(), '') });

/**
 * Calls CloudTrail. Its client in the SDK has no release with the version of the other clients.
 *
 * @throws {Error} with the name of the error of AWS
 */
async function callCloudTrail(deployment: Deployment, operation: string, input: object): Promise<unknown> {
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
  const result: unknown = await response.json();
  if (!response.ok) {
    const { __type, message } = v.parse(errorSchema, result);
    throw Object.assign(new Error(message), { name: __type.split('#').at(-1) });
  }
  return result;
}
