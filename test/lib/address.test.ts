import { App } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../lib/file-sync-app.ts';
import { FileSyncStack, type FileSyncStackProps } from '../../lib/file-sync-stack.ts';
import type { Configuration } from '../../lib/settings.ts';
import {
  propertiesOf,
  readable,
  resourcesOf,
  synthesized,
  type TemplateDocument,
  withoutBundling,
} from '../support/synthesized.ts';

const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/11111111-2222';
const hostedZoneId = 'Z0123456789ABC';
const domainName = 'files.example.com';
const withDomain = { domainName, certificateArn, hostedZoneId };

afterEach(() => vi.unstubAllEnvs());

const stackOf = (configuration: Partial<Configuration>, props: FileSyncStackProps = {}) =>
  new FileSyncStack(new App({ context: withoutBundling }), 'Files', { configuration, ...props });

const documentOf = (context: Readonly<Record<string, unknown>>): TemplateDocument =>
  synthesized(context).document;

const variablesOf = (document: TemplateDocument, name: string): Readonly<Record<string, unknown>> => {
  const [, lambda] =
    resourcesOf(document, 'AWS::Lambda::Function').find(([id]) => id.startsWith(`${name}Function`)) ?? [];
  const environment = lambda?.Properties?.Environment as { Variables: Record<string, unknown> } | undefined;
  return environment?.Variables ?? {};
};

const isOwnEndpointOff = (document: TemplateDocument) =>
  propertiesOf<{ DisableExecuteApiEndpoint?: boolean }>(document, 'AWS::ApiGatewayV2::Api')[0]
    ?.DisableExecuteApiEndpoint === true;

const outputsOf = ({ Outputs }: TemplateDocument) =>
  Object.fromEntries(Object.entries(Outputs).map(([name, { Value }]) => [name, readable(Value)]));

describe('without a domain', () => {
  const document = documentOf({});

  it('the API is at its own endpoint, and has no domain, mapping or record', () => {
    expect(isOwnEndpointOff(document)).toBe(false);
    for (const type of [
      'AWS::ApiGatewayV2::DomainName',
      'AWS::ApiGatewayV2::ApiMapping',
      'AWS::Route53::RecordSet',
    ]) {
      expect(resourcesOf(document, type)).toEqual([]);
    }
    const { BaseUrl, ApiEndpoint, ...others } = outputsOf(document);
    expect([BaseUrl, ApiEndpoint]).toEqual(['<Api.ApiEndpoint>', '<Api.ApiEndpoint>']);
    expect(Object.keys(others).filter((name) => /Domain/.test(name))).toEqual([]);
  });
});

describe('with a domain', () => {
  const document = documentOf(withDomain);

  it('API Gateway serves it regionally, over IPv4 and IPv6, by TLS 1.2 or newer', () => {
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
    for (const [, { Properties, DependsOn }] of records) {
      expect(Properties).toMatchObject({ Name: domainName, HostedZoneId: hostedZoneId });
      expect(DependsOn).toContain(mappingId);
      const alias = Properties?.AliasTarget as Record<string, unknown>;
      expect(readable(alias.DNSName)).toMatch(/^<ApifilesexamplecomDomainName.*\.RegionalDomainName>$/);
      expect(readable(alias.HostedZoneId)).toMatch(/\.RegionalHostedZoneId>$/);
    }
  });

  it("the API's own endpoint is off, and issuer and audience are the domain", () => {
    expect(isOwnEndpointOff(document)).toBe(true);
    for (const name of ['Token', 'Volumes', 'Sync', 'WellKnown']) {
      expect(variablesOf(document, name)).toMatchObject({ BASE_URL: `https://${domainName}` });
    }
  });

  it('the outputs name the domain, what DNS must point at, and the own endpoint', () => {
    expect(outputsOf(document)).toMatchObject({
      BaseUrl: `https://${domainName}`,
      ApiEndpoint: '<Api.ApiEndpoint>',
      DomainTarget: expect.stringContaining('.RegionalDomainName>'),
      DomainTargetHostedZoneId: expect.stringContaining('.RegionalHostedZoneId>'),
    });
  });

  it('makes no records without a zone, and still says what they must point at', () => {
    const elsewhere = documentOf({ domainName, certificateArn });
    expect(resourcesOf(elsewhere, 'AWS::Route53::RecordSet')).toEqual([]);
    expect(outputsOf(elsewhere).DomainTarget).toContain('.RegionalDomainName>');
  });
});

describe('settings that belong together', () => {
  it.each<[string, Partial<Configuration>, RegExp]>([
    [
      'a domain without certificate',
      { domainName },
      /domainName \(files\.example\.com\) needs certificateArn/,
    ],
    ['a certificate without domain', { certificateArn }, /certificateArn does nothing without domainName/],
    ['a zone without domain', { hostedZoneId }, /hostedZoneId does nothing without domainName/],
    [
      'another base URL',
      { ...withDomain, baseUrl: 'https://api.example.com' },
      /baseUrl \(https:\/\/api\.example\.com\) and domainName \(files\.example\.com\) contradict.*Leave baseUrl out/,
    ],
  ])('are refused: %s', (_, configuration, message) => {
    expect(() => stackOf(configuration)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message: expect.stringMatching(message) }),
    );
  });

  it.each([`https://${domainName}`, 'http://127.0.0.1:3000'])('are taken with the base URL %s', (baseUrl) => {
    expect(outputsOf(documentOf({ ...withDomain, baseUrl })).BaseUrl).toBe(baseUrl);
  });

  it('must name a certificate of the Region of the stack, where that is known', () => {
    const env = (region: string) => ({ env: { region } });
    expect(() => stackOf(withDomain, env('us-east-1'))).toThrow(
      /A certificate is in eu-central-1, and the stack is in us-east-1/,
    );
    expect(() => stackOf(withDomain, env('eu-central-1'))).not.toThrow();
  });

  it.each([
    ['us-east-1', 1],
    ['eu-central-1', 0],
  ])('cause a warning where the CDK would deploy to another Region: %s', (region, count) => {
    vi.stubEnv('CDK_DEFAULT_REGION', region);
    const { stack } = createApp({ context: { ...withoutBundling, ...withDomain } });
    const warnings = Annotations.fromStack(stack).findWarning(
      '*',
      Match.stringLikeRegexp('A certificate is in'),
    );
    expect(warnings).toHaveLength(count);
  });
});
