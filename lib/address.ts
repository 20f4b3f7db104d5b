import { type FormerBaseUrl, formatFormerBaseUrls, isAccepted } from '../contract/former-base-urls.ts';
import { domainOf, type FormerEntry, parseFormerEntry, regionOf } from './address-settings.ts';
import { type Configuration, ConfigurationError } from './configuration.ts';
import { isLoopback } from './setting.ts';

/** A domain name under which API Gateway serves the API. */
export interface ServedDomain {
  readonly domainName: string;
  readonly certificateArn: string;
  /** Absent: the DNS records are somewhere else. */
  readonly hostedZoneId?: string | undefined;
}

/** Where clients reach the API, and reached it before. */
export interface Address {
  /** Undefined: the API's own endpoint, which is known only when it is deployed. */
  readonly baseUrl: string | undefined;
  /** The domain of the base URL. */
  readonly domain: ServedDomain | undefined;
  /** Domains of former base URLs that the stack serves until their time. */
  readonly formerDomains: readonly ServedDomain[];
  /** Whether API Gateway answers at the API's own endpoint. */
  readonly hasDefaultEndpoint: boolean;
  /** For the functions, as `parseFormerBaseUrls` reads it. Undefined: there are none. */
  readonly formerBaseUrls: string | undefined;
  /**
   * Whether API Gateway sees the address that the client asked. Behind a proxy, which `baseUrl` alone means, it sees
   * the address of the origin.
   */
  readonly seesAskedAddress: boolean;
  /** Former base URLs whose time is over, so that the operator can remove them. */
  readonly ended: readonly FormerBaseUrl[];
  /** The Regions of all certificates. */
  readonly certificateRegions: readonly string[];
}

export interface AddressParts {
  /** Undefined: known only when the stack is deployed. */
  readonly region: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Reads where the API is, from the settings that say so together.
 *
 * @throws {ConfigurationError} when they contradict each other, or one lacks another
 */
export function addressOf(configuration: Configuration, { region, now }: AddressParts): Address {
  const problem = lackOf(configuration) ?? contradictionOf(configuration);
  if (problem !== undefined) {
    throw new ConfigurationError(problem);
  }
  const domain = domainOfSettings(configuration);
  const baseUrl = configuration.baseUrl ?? (domain && `https://${domain.domainName}`);
  const former = readFormer(configuration);
  refuseRepeated(former, [baseUrl, domain && `https://${domain.domainName}`]);
  const live = former.filter((entry) => isAccepted(entry, now));
  const formerDomains = live.flatMap(servedDomain);
  const certificateRegions = [...(domain ? [domain] : []), ...formerDomains].flatMap(
    ({ certificateArn }) => regionOf(certificateArn) ?? [],
  );
  refuseOtherRegion(certificateRegions, region);
  return {
    baseUrl,
    domain,
    formerDomains,
    hasDefaultEndpoint: domain === undefined || live.some((entry) => isDefaultEndpoint(entry, region)),
    formerBaseUrls: former.length === 0 ? undefined : formatFormerBaseUrls(former),
    seesAskedAddress: domain !== undefined || configuration.baseUrl === undefined,
    ended: former.filter((entry) => !isAccepted(entry, now)),
    certificateRegions,
  };
}

function lackOf({ domainName, certificateArn, hostedZoneId }: Configuration): string | undefined {
  if (domainName !== undefined && certificateArn === undefined) {
    return (
      `The setting domainName (${domainName}) needs certificateArn: API Gateway serves a domain with a certificate of ` +
      'AWS Certificate Manager for its name. Request one in the Region of the stack, and give its ARN.'
    );
  }
  const alone = Object.entries({ certificateArn, hostedZoneId }).find(([, value]) => value !== undefined);
  return domainName === undefined && alone !== undefined
    ? `The setting ${alone[0]} does nothing without domainName: give the name of the domain, or leave ${alone[0]} out.`
    : undefined;
}

/** On loopback, the base URL is that of a local run, which stands in for the domain. */
function contradictionOf({ domainName, baseUrl }: Configuration): string | undefined {
  const agrees =
    domainName === undefined ||
    baseUrl === undefined ||
    baseUrl === `https://${domainName}` ||
    isLoopback(baseUrl);
  return agrees
    ? undefined
    : `The settings baseUrl (${baseUrl}) and domainName (${domainName}) contradict each other: with domainName, the ` +
        `base URL is https://${domainName}. Leave baseUrl out.`;
}

function domainOfSettings(configuration: Configuration): ServedDomain | undefined {
  const { domainName, certificateArn, hostedZoneId } = configuration;
  return domainName === undefined || certificateArn === undefined
    ? undefined
    : { domainName, certificateArn, hostedZoneId };
}

function readFormer({ formerBaseUrls }: Configuration): readonly FormerEntry[] {
  return formerBaseUrls.flatMap((text) => parseFormerEntry(text) ?? []);
}

function refuseRepeated(former: readonly FormerEntry[], current: readonly (string | undefined)[]): void {
  const urls = former.map(({ baseUrl }) => baseUrl);
  const own = urls.find((url) => current.includes(url));
  if (own !== undefined) {
    throw new ConfigurationError(
      `The setting formerBaseUrls names ${own}, which is the base URL now. Remove that entry.`,
    );
  }
  const repeated = urls.find((url, index) => urls.indexOf(url) !== index);
  if (repeated !== undefined) {
    throw new ConfigurationError(
      `The setting formerBaseUrls names ${repeated} twice. Keep the entry with the time that you want.`,
    );
  }
}

function servedDomain({ baseUrl, certificateArn, hostedZoneId }: FormerEntry): readonly ServedDomain[] {
  return certificateArn === undefined
    ? []
    : [{ domainName: domainOf(baseUrl), certificateArn, hostedZoneId }];
}

/** API Gateway, "Creating and invoking an HTTP API": https://API_ID.execute-api.REGION.amazonaws.com */
function isDefaultEndpoint({ baseUrl }: FormerEntry, region: string | undefined): boolean {
  const [, its] =
    /^https:\/\/[a-z0-9]+\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/.exec(baseUrl) ?? [];
  return its !== undefined && (region === undefined || its === region);
}

/** API Gateway takes certificates of its own Region for a regional domain name. */
function refuseOtherRegion(certificateRegions: readonly string[], region: string | undefined): void {
  const other = region === undefined ? undefined : certificateRegions.find((name) => name !== region);
  if (other !== undefined) {
    throw new ConfigurationError(
      `A certificate is in ${other}, and the stack is in ${region}: API Gateway takes certificates of its own Region ` +
        `only. Request a certificate for the name in ${region}, and give its ARN.`,
    );
  }
}
