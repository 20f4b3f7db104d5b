import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAllowedFrom, parseAddressRanges } from '../../../contract/address-ranges.ts';

describe('a range of addresses', () => {
  test.for([
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.7', '203.0.113.7/32'],
    ['128.0.0.0/1', '128.0.0.0/1'],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201/128'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8/128'],
  ] as const)('%s is %s', ([text, canonical]) => {
    expect(parseAddressRanges([text])).toEqual({ ranges: [canonical] });
  });

  const malformed = [
    '',
    '/8',
    'example.com',
    '203.0.113.0/',
    '203.0.113.0/33',
    '2001:db8::/129',
    '1.2.3.4/-1',
  ];
  const otherForms = [
    '010.0.0.0/8',
    '0x7f.0.0.1',
    '127.1',
    '203.0.113.0/024',
    ' 203.0.113.0/24',
    '2130706433',
  ];
  const zones = ['fe80::1%eth0', 'fe80::1%eth0/64', '[2001:db8::1]'];

  test.for([...malformed, ...otherForms, ...zones])('is not %j', (text) => {
    const reason = expect.stringContaining('is not a range of IP addresses');
    expect(parseAddressRanges([text])).toEqual({ rejected: { text, reason } });
  });

  test.for([
    ['0.0.0.0/0', 'contains every address'],
    ['::/0', 'contains every address'],
    ['::ffff:203.0.113.7', 'contains IPv4 addresses in the form of IPv6'],
    ['::ffff:203.0.113.0/120', 'contains IPv4 addresses in the form of IPv6'],
    ['203.0.113.7/24', 'the range is 203.0.113.0/24, and the one address is 203.0.113.7/32'],
    ['2001:db8::1/48', 'the range is 2001:db8::/48, and the one address is 2001:db8::1/128'],
  ] as const)('is not %s: it %s', ([text, reason]) => {
    expect(parseAddressRanges([text])).toEqual({
      rejected: { text, reason: expect.stringContaining(reason) },
    });
  });
});

describe('ranges of a client', () => {
  const eight = Array.from({ length: 8 }, (_, index) => `203.0.113.${index}/32`);

  test('are at most eight', () => {
    expect(parseAddressRanges(eight)).toEqual({ ranges: eight });
    const reason = 'is one range too many: a client has at most 8';
    expect(parseAddressRanges([...eight, '192.0.2.1'])).toEqual({ rejected: { text: '192.0.2.1', reason } });
  });

  test.for([
    ['203.0.113.7', '203.0.113.7/32', '203.0.113.7/32'],
    ['203.0.113.0/24', '203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1::/48', '2001:db8::/32', '2001:db8:1::/48'],
  ] as const)('%s and %s overlap', ([first, text, named]) => {
    const reason = `overlaps with ${named}: leave one of them out`;
    expect(parseAddressRanges([first, text])).toEqual({ rejected: { text, reason } });
  });
});

describe('a request', () => {
  const ranges = ['203.0.113.0/25', '2001:db8::/33'];

  test.for<[address: string | undefined, isAllowed: boolean, ranges?: readonly string[]]>([
    ['203.0.113.127', true],
    ['203.0.113.128', false],
    ['203.0.112.255', false],
    ['2001:db8:7fff:ffff::1', true],
    ['2001:0DB8:0:0:0:0:0:1', true],
    ['2001:db8:8000::', false],
    ['::ffff:203.0.113.7', false],
    [undefined, false],
    ['unknown', false],
    ['203.0.113.7', false, []],
    // Only a damaged token contains such ranges. They must not open it.
    ['203.0.113.7', false, ['0.0.0.0/33', 'any', '']],
  ])('from %s may be sent: %s', ([address, isAllowed, allowed = ranges]) => {
    expect(isAllowedFrom(address, allowed)).toBe(isAllowed);
  });

  test.for([undefined, 'unknown'])('from %s may be sent without ranges', (address) => {
    expect(isAllowedFrom(address, undefined)).toBe(true);
  });

  test.for([
    ['ipv4', fc.ipV4(), 32],
    ['ipv6', fc.ipV6(), 128],
  ] as const)('is judged as by Node.js: %s', ([family, address, length]) => {
    const prefixes = fc.integer({ min: 1, max: length });
    fc.assert(
      fc.property(address, address, prefixes, fc.boolean(), (network, other, prefix, isSame) => {
        const list = new BlockList();
        list.addSubnet(network, prefix, family);
        const source = isSame ? network : other;
        expect(isAllowedFrom(source, [`${network}/${prefix}`])).toBe(list.check(source, family));
      }),
    );
  });
});
