import { BlockList } from 'node:net';
import fc from 'fast-check';
import { isAllowedFrom, parseAddressRanges } from '../../../contract/address-ranges.ts';

const eight = Array.from({ length: 8 }, (_, index) => `203.0.113.${index}/32`);

describe('ranges of addresses', () => {
  test.for([
    [['203.0.113.0/24', '128.0.0.0/2'], '203.0.113.0/24,128.0.0.0/2'],
    [['203.0.113.7'], '203.0.113.7/32'],
    [['2001:DB8:0:0::/32', '1:2:3:4:5:6:7:8'], '2001:db8::/32,1:2:3:4:5:6:7:8/128'],
    [['64:ff9b::192.0.2.1'], '64:ff9b::c000:201/128'],
    [eight, `${eight}`],
  ] as const)('%j are %s', ([texts, canonical]) => {
    expect(parseAddressRanges(texts)).toEqual({ ranges: canonical.split(',') });
  });

  const wrong = ['', '/8', 'example.com', '203.0.113.0/', '203.0.113.0/33', '2001:db8::/129', '1.2.3.4/-1'];
  const otherForms = ['010.0.0.0/8', '0x7f.0.0.1', '127.1', '203.0.113.0/024', 'fe80::1%eth0', '[::1]'];

  test.for([
    ...[...wrong, ...otherForms].map((text) => [[text], 'is not a range of IP addresses'] as const),
    [['0.0.0.0/0'], 'contains every address'],
    [['::ffff:203.0.113.0/120'], 'contains IPv4 addresses in the form of IPv6'],
    [['203.0.113.7/24'], 'does not begin with its first address: use that address, or /32'],
    [['2001:db8::1/48'], 'does not begin with its first address: use that address, or /128'],
    [['203.0.113.7', '203.0.113.7/32'], 'overlaps with 203.0.113.7/32'],
    [['203.0.113.0/24', '203.0.113.7'], 'overlaps with 203.0.113.0/24'],
    [['2001:db8:1::/48', '2001:db8::/32'], 'overlaps with 2001:db8:1::/48'],
    [[...eight, '192.0.2.1'], 'is one range too many: a client has at most 8'],
  ] as const)('are not %j: the last %s', ([texts, problem]) => {
    const reason = expect.stringContaining(problem);
    expect(parseAddressRanges(texts)).toEqual({ rejected: { text: texts.at(-1), reason } });
  });
});

describe('a request', () => {
  test.for<[from: string | undefined, ranges: string[] | undefined, isAllowed: boolean]>([
    ['2001:0DB8:0:0:0:0:0:1', ['192.0.2.1/32', '2001:db8::/33'], true],
    // This address begins with the bits of 203.0.113.7.
    ['cb00:7107::', ['203.0.113.0/24'], false],
    ['203.0.113.7', ['::/1'], false],
    [undefined, ['203.0.113.0/24'], false],
    [undefined, ['any'], false],
    ['203.0.113.7', [], false],
    // Only a damaged token contains such ranges. They must not open it.
    ['203.0.113.7', ['0.0.0.0/33', 'any', ''], false],
    [undefined, undefined, true],
  ])('from %s with the ranges %j is allowed: %s', ([from, ranges, isAllowed]) => {
    expect(isAllowedFrom(from, ranges)).toBe(isAllowed);
  });

  test.for([
    ['ipv4', fc.ipV4(), 32],
    ['ipv6', fc.ipV6(), 128],
  ] as const)('is judged as by Node.js: %s', ([family, address, length]) => {
    const prefixes = fc.integer({ min: 1, max: length });
    const isAsByNode = (network: string, other: string, prefix: number) => {
      const list = new BlockList();
      list.addSubnet(network, prefix, family);
      return isAllowedFrom(other, [`${network}/${prefix}`]) === list.check(other, family);
    };
    fc.assert(fc.property(address, address, prefixes, isAsByNode));
  });
});
