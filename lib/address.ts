import type { Stack } from 'aws-cdk-lib';
import { ConfigurationError, fixedRegionOf } from './configuration.ts';
import { type Configuration, isLoopback, regionOf } from './settings.ts';

/** A domain name under which API Gateway serves the API. */
export interface ServedDomain {
  readonly domainName: string;
  readonly certificateArn: string;
  /** Absent: the DNS records are managed elsewhere. */
  readonly hostedZoneId?: string | undefined;
}

/** Address of the API for clients. */
export interface Address {
  /** Undefined: the API's own endpoint, which is known only after the deployment. */
  readonly baseUrl: string | undefined;
  /** Domain of the base URL. Undefined: API Gateway responds at the API's own endpoint. */
  readonly domain: ServedDomain | undefined;
}

/**
 * Reads the address of the API from its settings.
 *
 * @throws {ConfigurationError} if the settings contradict each other, or one needs another that is missing
 */
export function addressOf(configuration: Configuration, stack: Stack): Address {
  const problem =
    lackOf(configuration) ?? contradictionOf(configuration) ?? otherRegionOf(configuration, stack);
  if (problem !== undefined) {
    throw new ConfigurationError(problem);
  }
  const domain = domainOfSettings(configuration);
  return { baseUrl: configuration.baseUrl ?? (domain && `https://${domain.domainName}`), domain };
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

/**
 * Returns the message for a base URL that contradicts the domain. A base URL on loopback belongs to a local
 * run, which replaces the domain.
 */
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

/**
 * Returns the message for a certificate in another Region than the stack: for a regional domain name, API
 * Gateway accepts only certificates of its own Region.
 */
function otherRegionOf({ certificateArn }: Configuration, stack: Stack): string | undefined {
  const region = fixedRegionOf(stack);
  const its = regionOf(certificateArn);
  return its === undefined || region === undefined || its === region
    ? undefined
    : `A certificate is in ${its}, and the stack is in ${region}: API Gateway takes certificates of its own Region ` +
        `only. Request a certificate for the name in ${region}, and give its ARN.`;
}
