import { CfnApiMapping, CfnDomainName, type CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import type { ServedDomain } from './address.ts';

export interface ApiDomainProps extends ServedDomain {
  readonly apiId: string;
  readonly stage: CfnStage;
}

/**
 * A domain at which API Gateway serves the API. It has DNS records if `hostedZoneId` is given.
 *
 * Its id is the name of the domain, and logical IDs are made from the id: another name makes other resources.
 */
export class ApiDomain extends Construct {
  /** Name to which the DNS records of the domain must point. */
  readonly target: string;
  /** Hosted zone of Route 53 that an alias to the target names. */
  readonly targetHostedZoneId: string;

  constructor(scope: Construct, { domainName, certificateArn, hostedZoneId, apiId, stage }: ApiDomainProps) {
    super(scope, domainName);
    const domain = new CfnDomainName(this, 'DomainName', {
      domainName,
      domainNameConfigurations: [
        {
          certificateArn,
          endpointType: 'REGIONAL',
          // TLS 1.2 and 1.3. HTTP APIs take nothing older at a regional domain, and no policy that is newer.
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

  /** The records come last, so that the API answers as soon as clients find the name. */
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
