import { parseTime } from '../contract/former-base-urls.ts';
import { isOrigin, type Setting } from './setting.ts';

/** A setting that is a text of some form, or is not given. */
function textOf(
  isAllowed: (given: string) => boolean,
  options: { readonly allowed: string; readonly meaning: string; readonly example: string },
): Setting<string | undefined> {
  const { allowed, meaning, example } = options;
  return {
    fallback: undefined,
    fallbackText: 'none',
    allowed,
    meaning,
    ends: [undefined, example],
    parse: (given) => (typeof given === 'string' && isAllowed(given) ? { value: given } : undefined),
  };
}

/** A setting that must be the name of one host in the DNS (RFC 1123 section 2.1), without a dot at its end. */
export function domain({ meaning }: { readonly meaning: string }): Setting<string | undefined> {
  return textOf(isDomainName, {
    meaning,
    allowed:
      'a DNS name of two or more parts in lower case, without a wildcard, address or port; ' +
      'a name with other letters in its ASCII form (xn--...)',
    example: 'files.example.com',
  });
}

/** RFC 1035 section 2.3.4: 253 characters without the dot at the end. */
const longestName = 253;

const namePart = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The URL parser knows which names in ASCII form stand for a name (RFC 5891 section 5.4), and what is an IP address. */
function isDomainName(text: string): boolean {
  const parts = text.split('.');
  return (
    text.length <= longestName &&
    parts.length > 1 &&
    parts.every((part) => namePart.test(part)) &&
    !/^\d+$/.test(parts.at(-1) ?? '') &&
    URL.canParse(`https://${text}`) &&
    new URL(`https://${text}`).hostname === text
  );
}

const certificatePattern = /^arn:aws[a-z-]*:acm:([a-z0-9-]+):\d{12}:certificate\/[\w-]+$/;

/** A setting that must be the ARN of a certificate of AWS Certificate Manager. */
export function certificate({ meaning }: { readonly meaning: string }): Setting<string | undefined> {
  return textOf((given) => certificatePattern.test(given), {
    meaning,
    allowed:
      'the ARN of a certificate of AWS Certificate Manager (arn:aws:acm:REGION:ACCOUNT:certificate/ID)',
    example: 'arn:aws:acm:us-east-1:000000000000:certificate/11111111-2222-3333-4444-555555555555',
  });
}

/** The Region of a certificate that {@link certificate} takes. */
export function regionOf(certificateArn: string): string | undefined {
  return certificatePattern.exec(certificateArn)?.[1];
}

/** Route 53 API reference, ResourceId: 32 characters at most. */
const hostedZonePattern = /^Z[A-Z0-9]{1,31}$/;

/** A setting that must be the id of a hosted zone of Route 53. */
export function hostedZone({ meaning }: { readonly meaning: string }): Setting<string | undefined> {
  return textOf((given) => hostedZonePattern.test(given), {
    meaning,
    allowed: 'the ID of a hosted zone in capital letters and digits (Z...), without /hostedzone/',
    example: 'Z0123456789ABCDEFGHIJ',
  });
}

/** An entry of the setting `formerBaseUrls`. */
export interface FormerEntry {
  readonly baseUrl: string;
  /** Milliseconds since the epoch. */
  readonly acceptedUntil: number;
  /** Given if the stack is to go on serving the domain of the base URL. */
  readonly certificateArn?: string;
  readonly hostedZoneId?: string;
}

/**
 * Reads `URL until TIME`, which `certificate ARN` and then `zone ID` may follow.
 *
 * @returns undefined when the text is not of this form
 */
export function parseFormerEntry(text: string): FormerEntry | undefined {
  const words = /^(\S+) until (\S+)(?: certificate (\S+)(?: zone (\S+))?)?$/.exec(text);
  const [, baseUrl = '', time = '', certificateArn, hostedZoneId] = words ?? [];
  const acceptedUntil = parseTime(time);
  if (acceptedUntil === undefined || !isOrigin(baseUrl)) {
    return undefined;
  }
  if (certificateArn !== undefined) {
    const isServable = certificatePattern.test(certificateArn) && isDomainName(domainOf(baseUrl));
    if (!isServable || !(hostedZoneId === undefined || hostedZonePattern.test(hostedZoneId))) {
      return undefined;
    }
  }
  return {
    baseUrl,
    acceptedUntil,
    ...(certificateArn === undefined ? {} : { certificateArn }),
    ...(hostedZoneId === undefined ? {} : { hostedZoneId }),
  };
}

/** What follows the scheme. With a port it is not the name of a domain. */
export function domainOf(baseUrl: string): string {
  return baseUrl.replace(/^https:\/\//, '');
}

/** Every token of another issuer is compared with each. Nobody moves more often than this within a token's lifetime. */
const mostFormer = 5;

/** A setting that must be a list of {@link FormerEntry} texts, as JSON or joined by commas. */
export function formerList({ meaning }: { readonly meaning: string }): Setting<readonly string[]> {
  return {
    fallback: [],
    fallbackText: 'none',
    allowed:
      `at most ${mostFormer} entries, as a list or joined by commas: URL until TIME, with the time in UTC as in ` +
      '2027-01-31T00:00:00Z; then, if the stack is to serve this domain until then, certificate ARN, and zone ID',
    meaning,
    ends: [[], ['https://former.example.com until 2100-01-01T00:00:00Z']],
    parse: (given) => {
      const entries = typeof given === 'string' ? given.split(',').map((entry) => entry.trim()) : given;
      const isList = Array.isArray(entries) && entries.length <= mostFormer && entries.every(isFormerEntry);
      return isList ? { value: entries } : undefined;
    },
  };
}

function isFormerEntry(entry: unknown): entry is string {
  return typeof entry === 'string' && parseFormerEntry(entry) !== undefined;
}
