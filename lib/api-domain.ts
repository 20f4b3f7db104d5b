import { CfnApiMapping, CfnDomainName, type CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import type { ServedDomain } from './address.ts';

export interface ApiDomainProps extends ServedDomain {
  readonly apiId: string;
  readonly stage: CfnStage;
}

/**
 * A domain at which API Gateway serves the API. It includes DNS records if `hostedZoneId` is set.
 *
 * The construct id is the name of the domain, and logical IDs are derived from the id: another name creates
 * other resources.
 */
export class ApiDomain extends Construct {
  /** Target of the DNS records of the domain. */
  readonly target: string;
  /** Hosted zone of the target, for an alias record in Route 53. */
  readonly targetHostedZoneId: string;

  constructor(scope: Construct, { domainName, certificateArn, hostedZoneId, apiId, stage }: ApiDomainProps) {
    super(scope, domainName);
    const domain = new CfnDomainName(this, 'DomainName', {
      domainName,
      domainNameConfigurations: [
        {
          certificateArn,
          endpointType: 'REGIONAL',
          // TLS 1.2 and 1.3. For regional domains, HTTP APIs support no older version, and no newer policy.
          securityPolicy: 'TLS_1_2',
          // IPv6 as well, which the AAAA record needs.
          ipAddressType: 'dualstack',
        },
      ],
    });
    this.target = domain.attrRegionalDomainName;
    this.targetHostedZoneId = domain.attrRegionalHostedZoneId;
    const mapping = new CfnApiMapping(this, 'Mapping', {
      apiId,
      domainName,
      stage: stage.ref,
    });
    mapping.addResourceDependency(domain);
    if (hostedZoneId !== undefined) {
      this.addRecords(domainName, hostedZoneId, mapping);
    }
  }

  /** Creates the DNS records last, so that the API responds as soon as clients find the name. */
  private addRecords(name: string, hostedZoneId: string, mapping: CfnApiMapping): void {
    for (const type of ['A', 'AAAA']) {
      const record = new CfnRecordSet(this, type, {
        name,
        hostedZoneId,
        type,
        aliasTarget: { dnsName: this.target, hostedZoneId: this.targetHostedZoneId },
      });
      record.addResourceDependency(mapping);
    }
  }
}
