import { isIP, isIPv4 } from 'node:net';

/** Maximum number of ranges of a client. A session policy with eight ranges stays far below its 2,048 characters. */
const maxAddressRanges = 8;

/** Addresses with the same first bits (RFC 4632 section 3.1, RFC 4291 section 2.3). */
interface AddressRange {
  /** Canonical text (RFC 5952). */
  readonly text: string;
  /** 128 binary digits of the address in the text. An IPv4 address is in its IPv4-mapped form. */
  readonly bits: string;
  /** The same first bits. */
  readonly prefix: string;
  /** Length of one address in the notation of the text: 32 for IPv4, 128 for IPv6. */
  readonly addressLength: number;
}

/**
 * Returns true if an address is in one of the ranges, or if there are no ranges. A malformed range contains no address.
 *
 * @param address source address of a request, as API Gateway reports it
 * @param ranges ranges in CIDR notation. Undefined: every address is allowed
 *
 * @example
 * ```ts
 * isAllowedFrom('203.0.113.7', ['203.0.113.0/24']); // true
 * ```
 */
export function isAllowedFrom(address: string | undefined, ranges: readonly string[] | undefined): boolean {
  return ranges?.some((range) => contains(parseRange(range), parseRange(address ?? ''))) ?? true;
}

/**
 * Reads the ranges of a client.
 *
 * @returns the ranges in their canonical text, or the first rejected text. Its reason continues a sentence about it
 */
export function parseAddressRanges(texts: readonly string[]) {
  const ranges: AddressRange[] = [];
  for (const text of texts) {
    const range = parseRange(text);
    const reason = problemOf(range, ranges);
    if (range === undefined || reason !== undefined) {
      return { rejected: { text, reason } };
    }
    ranges.push(range);
  }
  return { ranges: ranges.map(({ text }) => text) };
}

function problemOf(range: AddressRange | undefined, others: readonly AddressRange[]): string | undefined {
  if (range === undefined) {
    return 'is not a range of IP addresses: use CIDR notation, such as 203.0.113.0/24, or one address';
  }
  const { text, bits, prefix, addressLength } = range;
  if (text.endsWith('/0')) {
    return 'contains every address: to allow every address, enter any';
  }
  if (addressLength === 128 && bits.startsWith(ipv4Mapped)) {
    return 'contains IPv4 addresses in the form of IPv6: use the range of IPv4 addresses';
  }
  if (bits.includes('1', prefix.length)) {
    return `does not begin with its first address: use that address, or /${addressLength} for one address`;
  }
  const overlapping = others.find((other) => contains(other, range) || contains(range, other));
  if (overlapping !== undefined) {
    return `overlaps with ${overlapping.text}: leave one of them out`;
  }
  return others.length < maxAddressRanges
    ? undefined
    : `is one range too many: a client has at most ${maxAddressRanges}`;
}

function contains(range: AddressRange | undefined, other: AddressRange | undefined): boolean {
  // A range of IPv6, such as ::/1, contains no IPv4 address.
  const isComparable = range !== undefined && range.addressLength === other?.addressLength;
  return isComparable && other.prefix.startsWith(range.prefix);
}

/** First bits of an IPv4 address in the form of IPv6 (RFC 4291 section 2.5.5.2). */
const ipv4Mapped = '0'.repeat(80) + '1'.repeat(16);

/** Reads a range. One address is the range that contains only this address. */
function parseRange(text: string): AddressRange | undefined {
  // Without a zone, which is the name of an interface on one machine (RFC 4007 section 11).
  const [, address = '', digits] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const addressLength = isIPv4(address) ? 32 : 128;
  const length = Number(digits ?? addressLength);
  if (!isIP(address) || length > addressLength) {
    return undefined;
  }
  // The URL parser writes the canonical text, with at most one `::` and without an IPv4 part.
  const { hostname } = new URL(`http://[${isIPv4(address) ? '::ffff:' : ''}${address}]`);
  const canonical = hostname.slice(1, -1);
  const groups = canonical.replace('::', ':'.repeat(10 - canonical.split(':').length)).split(':');
  const bits = groups.map((group) => Number.parseInt(`0${group}`, 16).toString(2).padStart(16, '0')).join('');
  return {
    text: `${isIPv4(address) ? address : canonical}/${length}`,
    bits,
    prefix: bits.slice(0, bits.length - addressLength + length),
    addressLength,
  };
}
