import { isDomainName } from '../../lib/domain-name.ts';

const [a63, labels] = ['a'.repeat(63), 'a.'.repeat(126)];

describe('a domain name', () => {
  test.for(['a-b.1x.example', 'a--b.example', 'xn--bcher-kva.xn--p1ai', `${a63}.example`, `${labels}a`])(
    'is %s',
    (name) => expect(isDomainName(name)).toBe(true),
  );

  test.for([
    'localhost',
    'a..example',
    'a.example.',
    'A.example',
    '*.example',
    '-a.example',
    'a-.example',
    'a.example:443',
    '1.2.3',
    'bücher.example',
    `a${a63}.example`,
    `${labels}aa`,
    // No ASCII form of other letters: a control character, nothing, ASCII, an incomplete and a combining character.
    'xn--a.example',
    'xn--.example',
    'xn--a-.example',
    'xn--0.example',
    'xn--hza.example',
    'xn--bcher-kva.xn--a',
  ])('is not %s', (name) => expect(isDomainName(name)).toBe(false));
});
