import type { Setting } from './setting.ts';

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
