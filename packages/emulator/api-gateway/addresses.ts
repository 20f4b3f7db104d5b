import type { IncomingMessage } from 'node:http';
import { recordSetType } from '../route53/resource-types.ts';
import { StartProblem } from '../shared/errors.ts';
import { ofType, type Resource, type TypedResource } from '../shared/resource-type.ts';
import { apiMappingType, type apiType, domainNameType, stageType } from './resource-types.ts';

/** The names under which API Gateway serves an API. */
export interface Addresses {
  /** Name of the API's own endpoint (the "default endpoint"). */
  readonly ownName: string;
  /** Whether the API's own endpoint answers. */
  readonly isOwnOpen: boolean;
  /** Custom domain names that are mapped to the API. */
  readonly domainNames: readonly string[];
}

/**
 * Finds the names of the API, and checks that what belongs to a domain fits together.
 *
 * @throws {StartProblem} when a mapping has no domain, or an alias leads to no domain of the template
 */
export function readAddresses(
  api: TypedResource<typeof apiType.properties>,
  resources: readonly Resource[],
): Addresses {
  const domains = ofType(resources, domainNameType);
  const mappings = ofType(resources, apiMappingType);
  for (const { logicalId, type, properties } of mappings) {
    const { DomainName, ApiId, Stage } = properties;
    const stages = ofType(resources, stageType).map(({ ref }) => ref);
    if (!domains.some((domain) => domain.properties.DomainName === DomainName)) {
      throw problem(
        logicalId,
        type,
        `the template has no ${domainNameType.type} with the name ${DomainName}.`,
      );
    }
    if (ApiId !== api.ref || !stages.includes(Stage)) {
      throw problem(logicalId, type, 'it leads to another API or stage than that of the template.');
    }
  }
  checkRecords(resources, domains);
  return {
    ownName: new URL(api.attributes.ApiEndpoint ?? '').hostname,
    isOwnOpen: api.properties.DisableExecuteApiEndpoint !== true,
    domainNames: mappings.map(({ properties }) => properties.DomainName),
  };
}

/** Route 53 refuses an alias to a zone that the target is not in, and clients of one to another name find nobody. */
function checkRecords(
  resources: readonly Resource[],
  domains: readonly TypedResource<typeof domainNameType.properties>[],
): void {
  for (const { logicalId, type, properties } of ofType(resources, recordSetType)) {
    const { Name, AliasTarget } = properties;
    const leads = domains.some(
      (domain) =>
        domain.properties.DomainName === Name.replace(/\.$/, '') &&
        domain.attributes.RegionalDomainName === AliasTarget.DNSName &&
        domain.attributes.RegionalHostedZoneId === AliasTarget.HostedZoneId,
    );
    if (!leads) {
      throw problem(
        logicalId,
        type,
        `${Name} is no domain of the template, or its alias leads to another one.`,
      );
    }
  }
}

function problem(logicalId: string, type: string, text: string): StartProblem {
  return new StartProblem(`Resource ${logicalId} (${type}): ${text}`);
}

/**
 * The name of the API that a request was sent to; undefined for a loopback name, which stands for all of them. The
 * target decides before the header (RFC 9112 section 3.2.2).
 */
export function nameAsked(
  { url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
  { ownName, domainNames }: Addresses,
): string | undefined {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host ?? '';
  const name = authority.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  return [ownName, ...domainNames].find((known) => known === name);
}
