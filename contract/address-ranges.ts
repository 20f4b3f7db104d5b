import { isIPv4, isIPv6 } from 'node:net';

/** Maximum number of ranges of a client. A session policy with eight ranges stays far below its 2,048 characters. */
const maxAddressRanges = 8;

/** An IP address. */
interface Address {
  /** Canonical text (RFC 5952). */
  readonly text: string;
  /** 32 binary digits for IPv4, 128 for IPv6. */
  readonly bits: string;
}

/** Addresses with the same first bits (RFC 4632 section 3.1, RFC 4291 section 2.3). */
interface AddressRange extends Address {
  /** The same first bits. */
  readonly prefix: string;
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
  if (ranges === undefined) {
    return true;
  }
  const source = parseAddress(address ?? '');
  return source !== undefined && ranges.map(parseRange).some((range) => range && contains(range, source));
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
      return { ranges: [], rejected: { text, reason } };
    }
    ranges.push(range);
  }
  return { ranges: ranges.map(({ text }) => text) };
}

function problemOf(range: AddressRange | undefined, others: readonly AddressRange[]): string | undefined {
  if (range === undefined) {
    return 'is not a range of IP addresses: use CIDR notation, such as 203.0.113.0/24, or one address';
  }
  const { bits, prefix } = range;
  if (prefix === '') {
    return 'contains every address: to allow every address, enter any';
  }
  if (bits.length === 128 && bits.startsWith(ipv4Mapped)) {
    return 'contains IPv4 addresses in the form of IPv6: use the range of IPv4 addresses';
  }
  if (bits.includes('1', prefix.length)) {
    return `does not begin with its first address: use that address, or /${bits.length} for one address`;
  }
  const overlapping = others.find((other) => contains(other, range) || contains(range, other));
  if (overlapping !== undefined) {
    return `overlaps with ${overlapping.text}: leave one of them out`;
  }
  return others.length < maxAddressRanges
    ? undefined
    : `is one range too many: a client has at most ${maxAddressRanges}`;
}

function contains({ bits, prefix }: AddressRange, address: Address): boolean {
  return address.bits.length === bits.length && address.bits.startsWith(prefix);
}

/** First bits of an IPv4 address in the form of IPv6 (RFC 4291 section 2.5.5.2). */
const ipv4Mapped = '0'.repeat(80) + '1'.repeat(16);

/** Reads a range. One address is the range that contains only this address. */
function parseRange(text: string): AddressRange | undefined {
  const [, digits, length] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const address = parseAddress(digits ?? '');
  if (address === undefined || Number(length) > address.bits.length) {
    return undefined;
  }
  const prefix = address.bits.slice(0, length === undefined ? undefined : Number(length));
  return { ...address, text: `${address.text}/${prefix.length}`, prefix };
}

function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) {
    return { text, bits: bitsOf(text.split('.'), 10, 8) };
  }
  // A zone is the name of an interface on one machine (RFC 4007 section 11).
  if (!isIPv6(text) || text.includes('%')) {
    return undefined;
  }
  // The URL parser writes the canonical text, with at most one `::` and without an IPv4 part.
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return { text: canonical, bits: bitsOf([...head, ...zeros, ...tail], 16, 16) };
}

function bitsOf(groups: readonly string[], radix: number, length: number): string {
  return groups.map((group) => Number.parseInt(group, radix).toString(2).padStart(length, '0')).join('');
}
