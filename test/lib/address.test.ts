import { App } from 'aws-cdk-lib';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { FileSyncStack, type FileSyncStackProps } from '../../lib/file-sync-stack.ts';
import type { Configuration } from '../../lib/settings.ts';
import {
  everySetting,
  propertiesOf,
  readable,
  resourcesOf,
  synthesized,
  type TemplateDocument,
  withoutBundling,
} from '../support/synthesized.ts';

const { domainName, certificateArn, hostedZoneId } = everySetting;
const withDomain = { domainName, certificateArn, hostedZoneId };

const stackOf = (configuration: Partial<Configuration>, props: FileSyncStackProps = {}) =>
  new FileSyncStack(new App({ context: withoutBundling }), 'Files', { configuration, ...props });

const isOwnEndpointOff = (document: TemplateDocument) =>
  propertiesOf<{ DisableExecuteApiEndpoint?: boolean }>(document, 'AWS::ApiGatewayV2::Api')[0]
    ?.DisableExecuteApiEndpoint === true;

const outputsOf = ({ Outputs }: TemplateDocument) =>
  Object.fromEntries(Object.entries(Outputs).map(([name, { Value }]) => [name, readable(Value)]));

/** Returns the base URLs in the variables of the functions. */
const baseUrlsOf = (document: TemplateDocument) =>
  propertiesOf<{ Environment?: { Variables: { BASE_URL?: unknown } } }>(document, 'AWS::Lambda::Function')
    .flatMap(({ Environment }) => Environment?.Variables.BASE_URL ?? [])
    .map(readable);

const { document } = synthesized();

it('without a domain, the API is at its own endpoint', () => {
  expect(isOwnEndpointOff(document)).toBe(false);
  const types = Object.values(document.Resources).map(({ Type }) => Type);
  expect(types.filter((type) => /DomainName|ApiMapping|Route53/.test(type))).toEqual([]);
  const { BaseUrl, ApiEndpoint } = outputsOf(document);
  expect(new Set([BaseUrl, ApiEndpoint, ...baseUrlsOf(document)])).toEqual(new Set(['<Api.ApiEndpoint>']));
});

describe('with a domain', () => {
  const { document } = synthesized(everySetting);

  it('API Gateway serves it by IPv4, IPv6 and TLS 1.2', () => {
    expect(propertiesOf(document, 'AWS::ApiGatewayV2::DomainName')).toEqual([
      {
        DomainName: domainName,
        DomainNameConfigurations: [
          {
            CertificateArn: certificateArn,
            EndpointType: 'REGIONAL',
            IpAddressType: 'dualstack',
            SecurityPolicy: 'TLS_1_2',
          },
        ],
      },
    ]);
    const [mapping] = propertiesOf<Record<string, unknown>>(document, 'AWS::ApiGatewayV2::ApiMapping');
    expect(Object.entries(mapping ?? {}).map(([name, value]) => [name, readable(value)])).toEqual([
      ['ApiId', '<Api>'],
      ['DomainName', domainName],
      ['Stage', '<ApiStage>'],
    ]);
  });

  it('Route 53 leads to it by A and AAAA, once it is mapped', () => {
    const records = resourcesOf(document, 'AWS::Route53::RecordSet');
    const [mappingId] = resourcesOf(document, 'AWS::ApiGatewayV2::ApiMapping').map(([id]) => id);
    expect(records.map(([, { Properties }]) => Properties?.Type)).toEqual(['A', 'AAAA']);
    expect(records.map(([, { DependsOn }]) => DependsOn)).toEqual(
      records.map(() => expect.arrayContaining([mappingId])),
    );
  });

  it.for(['A', 'AAAA'])("Route 53's record %s is an alias of the API's domain", (type) => {
    const records = propertiesOf<Record<string, unknown>>(document, 'AWS::Route53::RecordSet');
    const record = records.find(({ Type }) => Type === type);
    expect(record).toMatchObject({ Name: domainName, HostedZoneId: hostedZoneId });
    const alias = record?.AliasTarget as Record<string, unknown>;
    expect(readable(alias.DNSName)).toMatch(/^<ApifilesexamplecomDomainName.*\.RegionalDomainName>$/);
    expect(readable(alias.HostedZoneId)).toMatch(/\.RegionalHostedZoneId>$/);
  });

  it("the API's own endpoint is off, and issuer and audience are the domain", () => {
    expect(isOwnEndpointOff(document)).toBe(true);
    expect(baseUrlsOf(document)).toEqual(Array(4).fill(`https://${domainName}`));
  });

  it('the outputs name the domain and the target of its DNS record', () => {
    expect(outputsOf(document)).toMatchObject({
      BaseUrl: `https://${domainName}`,
      ApiEndpoint: '<Api.ApiEndpoint>',
      DomainTarget: expect.stringContaining('.RegionalDomainName>'),
      DomainTargetHostedZoneId: expect.stringContaining('.RegionalHostedZoneId>'),
    });
  });

  it('creates no records without a zone', () => {
    const { outputs, node } = stackOf({ domainName, certificateArn });
    expect(outputs.DomainTarget).toBeDefined();
    expect(node.findAll().filter((child) => child instanceof CfnRecordSet)).toEqual([]);
  });
});

describe('settings that belong together', () => {
  it.for([
    [{ domainName }, 'domainName (files.example.com) needs certificateArn'],
    [{ certificateArn }, 'certificateArn does nothing without domainName'],
    [{ hostedZoneId }, 'hostedZoneId does nothing without domainName'],
    [{ ...withDomain, baseUrl: 'https://a.example' }, 'baseUrl (https://a.example) and domainName'],
  ] as const)('are rejected: %j', ([configuration, message]) => {
    expect(() => stackOf(configuration)).toThrow(message);
  });

  it.each([`https://${domainName}`, 'http://127.0.0.1:3000'])('are taken with the base URL %s', (baseUrl) => {
    expect(stackOf({ ...withDomain, baseUrl }).outputs.BaseUrl.value).toBe(baseUrl);
  });

  it('must name a certificate of the Region of the stack', () => {
    const env = (region: string) => ({ env: { region } });
    expect(() => stackOf(withDomain, env('us-east-1'))).toThrow(
      /A certificate is in eu-central-1, and the stack is in us-east-1: .* Request a certificate for the name in us-east-1,/,
    );
    expect(stackOf(withDomain, env('eu-central-1')).outputs.BaseUrl.value).toBe(`https://${domainName}`);
  });
});
