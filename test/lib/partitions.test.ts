import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { FileSyncStack } from '../../lib/file-sync-stack.ts';
import { propertiesOf, readable, type TemplateDocument, withoutBundling } from '../support/synthesized.ts';

/** There was no deployment to these partitions. Only their templates are tested. */
const partitions = [
  ['eu-central-1', 'aws', 'amazonaws.com'],
  ['cn-north-1', 'aws-cn', 'amazonaws.com.cn'],
  ['us-iso-east-1', 'aws-iso', 'c2s.ic.gov'],
] as const;

/**
 * Returns the stack in a Region, with the values that CloudFormation sets for the pseudo parameters there.
 */
function synthesizedIn(region: string, ipAddressType: 'ipv4' | 'dualstack' = 'ipv4'): TemplateDocument {
  const app = new App({ context: withoutBundling });
  const configuration = { monitoring: 'full', ipAddressType } as const;
  const stack = new FileSyncStack(app, 'in', { env: { account: '111122223333', region }, configuration });
  const { partition = '', domainSuffix = '' } = RegionInfo.get(region);
  const text = JSON.stringify(Template.fromStack(stack).toJSON())
    .replaceAll('{"Ref":"AWS::Partition"}', JSON.stringify(partition))
    .replaceAll('{"Ref":"AWS::URLSuffix"}', JSON.stringify(domainSuffix));
  return JSON.parse(text) as TemplateDocument;
}

interface WithVariables {
  readonly Environment?: { readonly Variables: { readonly BUCKET_HOST?: unknown } };
}

const hostsIn = (document: TemplateDocument) =>
  propertiesOf<WithVariables>(document, 'AWS::Lambda::Function').flatMap(({ Environment }) =>
    Environment?.Variables.BUCKET_HOST === undefined ? [] : readable(Environment.Variables.BUCKET_HOST),
  );

describe.each(partitions)('in %s', (region, partition, suffix) => {
  const document = synthesizedIn(region);

  it('upload URLs have the host of the partition', () => {
    expect(hostsIn(document)).toEqual([`<UploadsBucket>.s3.${region}.${suffix}`]);
  });

  it('every ARN is of the partition', () => {
    const found = JSON.stringify(document).matchAll(/arn:(aws[a-z-]*)|"arn:","(aws[a-z-]*)/g);
    expect(new Set([...found].map(([, whole, joined]) => whole ?? joined))).toEqual(new Set([partition]));
  });

  it('services have the principals that all partitions take', () => {
    const services = [...JSON.stringify(document).matchAll(/"(?:Service|Principal)":"([^"*]+)"/g)];
    expect(services.map(([, name]) => name)).toEqual(
      services.map(() => expect.stringMatching(/^[a-z]+\.amazonaws\.com$/)),
    );
  });
});

it('with ipAddressType=dualstack the API and upload URLs have IPv6', () => {
  const dualstack = synthesizedIn('cn-north-1', 'dualstack');
  expect(hostsIn(dualstack)).toEqual(['<UploadsBucket>.s3.dualstack.cn-north-1.amazonaws.com.cn']);
  const [api] = propertiesOf(dualstack, 'AWS::ApiGatewayV2::Api');
  expect(api).toMatchObject({ IpAddressType: 'dualstack' });
});
