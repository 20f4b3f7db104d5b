import { isIPv4, isIPv6 } from 'node:net';

/** Maximum number of ranges of a client. A session policy with eight ranges stays far below its 2,048 characters. */
export const maxAddressRanges = 8;

/** An IP address as a number. */
interface Address {
  /** Length of the address: 32 bits for IPv4, 128 for IPv6. */
  readonly length: number;
  readonly value: bigint;
}

/** Addresses that begin with the same bits (RFC 4632 section 3.1, RFC 4291 section 2.3). */
interface AddressRange extends Address {
  /** Number of the same bits. */
  readonly prefix: number;
}

/** A rejected range, and the reason, which continues a sentence about the range. */
export interface RejectedRange {
  readonly text: string;
  readonly reason: string;
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
 * @returns the ranges in their canonical text (RFC 5952), or the first rejected one
 */
export function parseAddressRanges(
  texts: readonly string[],
): { readonly ranges: readonly string[] } | { readonly rejected: RejectedRange } {
  const ranges: AddressRange[] = [];
  for (const text of texts) {
    const range = parseRange(text);
    const reason = range === undefined ? malformed : problemOf(range, ranges);
    if (range === undefined || reason !== undefined) {
      return { rejected: { text, reason: reason ?? malformed } };
    }
    ranges.push(range);
  }
  return { ranges: ranges.map(rangeText) };
}

const malformed =
  'is not a range of IP addresses: use CIDR notation, such as 203.0.113.0/24 or 2001:db8::/48, or one address';

function problemOf(range: AddressRange, others: readonly AddressRange[]): string | undefined {
  const { length, value, prefix } = range;
  if (prefix === 0) {
    return 'contains every address';
  }
  // RFC 4291 section 2.5.5.2.
  if (length === 128 && value >> 32n === 0xffffn) {
    return 'contains IPv4 addresses in the form of IPv6: use the range of IPv4 addresses';
  }
  const first = { ...range, value: value - (value % sizeOf(range)) };
  if (first.value !== value) {
    const one = rangeText({ ...range, prefix: length });
    return `does not begin at its first address: the range is ${rangeText(first)}, and the one address is ${one}`;
  }
  const overlapping = others.find((other) => contains(other, range) || contains(range, other));
  if (overlapping !== undefined) {
    return `overlaps with ${rangeText(overlapping)}: leave one of them out`;
  }
  return others.length < maxAddressRanges
    ? undefined
    : `is one range too many: a client has at most ${maxAddressRanges}`;
}

/** Reads a range. One address is the range that contains only this address. */
function parseRange(text: string): AddressRange | undefined {
  const [, address = '', digits] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const parsed = parseAddress(address);
  const prefix = digits === undefined ? parsed?.length : Number(digits);
  return parsed === undefined || prefix === undefined || prefix > parsed.length
    ? undefined
    : { ...parsed, prefix };
}

function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) {
    return { length: 32, value: joined(text.split('.').map(Number), 8n) };
  }
  // A zone is the name of an interface on one machine (RFC 4007 section 11).
  if (!isIPv6(text) || text.includes('%')) {
    return undefined;
  }
  // The URL parser turns an IPv4 part into groups, and shortens at most one run of zeros.
  const [head = [], tail = []] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::').map(groupsOf);
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0);
  return { length: 128, value: joined([...head, ...zeros, ...tail], 16n) };
}

function groupsOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function joined(groups: readonly number[], bits: bigint): bigint {
  return groups.reduce((value, group) => (value << bits) | BigInt(group), 0n);
}

/** Returns the number of addresses in a range. */
function sizeOf({ length, prefix }: AddressRange): bigint {
  return 1n << BigInt(length - prefix);
}

function contains(range: AddressRange, { length, value }: Address): boolean {
  const size = sizeOf(range);
  return range.length === length && value / size === range.value / size;
}

function rangeText(range: AddressRange): string {
  const { length, value, prefix } = range;
  const bits = length === 32 ? 8 : 16;
  const groups = Array.from({ length: length / bits }, (_, index) =>
    BigInt.asUintN(bits, value >> BigInt(length - bits * (index + 1))),
  );
  const address =
    length === 32
      ? groups.join('.')
      : new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1);
  return `${address}/${prefix}`;
}
