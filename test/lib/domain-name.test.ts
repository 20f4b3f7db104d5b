import { describe, expect, test } from 'vitest';
import { isAsciiForm, isDomainName } from '../../lib/domain-name.ts';

describe('a domain name', () => {
  test.for([
    ['two parts', 'a.example'],
    ['digits and hyphens inside a part', 'a-b.1x.example'],
    ['two hyphens in a row', 'ab--c.example'],
    ['a part of 63 characters', `${'a'.repeat(63)}.example`],
    ['253 characters', `${'a.'.repeat(126)}a`],
    ['other letters in their ASCII form', 'xn--bcher-kva.example'],
    ['a top-level domain in its ASCII form', 'files.xn--p1ai'],
  ])('may have %s', ([, name]) => {
    expect(isDomainName(name)).toBe(true);
  });

  test.for([
    ['one part', 'localhost'],
    ['an empty part', 'a..example'],
    ['a dot at its end', 'a.example.'],
    ['a capital letter', 'Files.example.com'],
    ['a wildcard', '*.example.com'],
    ['an underscore', 'a_b.example'],
    ['a hyphen at the beginning of a part', '-a.example'],
    ['a hyphen at the end of a part', 'a-.example'],
    ['a port', 'a.example:443'],
    ['digits alone at its end', '1.2.3'],
    ['a part of 64 characters', `${'a'.repeat(64)}.example`],
    ['254 characters', `${'a.'.repeat(126)}aa`],
    ['letters beyond ASCII', 'bücher.example'],
  ])('must not have %s', ([, name]) => {
    expect(isDomainName(name)).toBe(false);
  });

  // The URL parser of Node.js 24 accepts each of them.
  test.for([
    ['a control character', 'xn--a.example'],
    ['nothing', 'xn--.example'],
    ['ASCII alone', 'xn--a-.example'],
    ['an incomplete code', 'xn--0.example'],
    ['a combining mark at its beginning', 'xn--hza.example'],
    ['a broken part after a valid one', 'xn--bcher-kva.xn--a'],
  ])('must not encode %s', ([, name]) => {
    expect(isDomainName(name)).toBe(false);
  });
});

test.for(['[::1]', '127.0.0.1', 'localhost', 'my_host'])('the host %s has no other letters', (host) => {
  expect(isAsciiForm(host)).toBe(true);
});
