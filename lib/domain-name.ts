import { domainToASCII, domainToUnicode } from 'node:url';

const labels = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * True for the name of one host in the DNS, in lower case and without a dot at its end: 253 characters, 63 in each part
 * (RFC 1035 section 2.3.4).
 */
export function isDomainName(text: string): boolean {
  return text.length <= 253 && labels.test(text) && isAsciiForm(text);
}

/**
 * True if each part that begins with `xn--` is the ASCII form of other letters (RFC 5891 section 5.4). The URL parser
 * does not check that on each Node.js: 24 accepts `xn--a`.
 */
export function isAsciiForm(host: string): boolean {
  const decoded = domainToUnicode(host);
  return !host.includes('xn--') || (!decoded.includes('xn--') && domainToASCII(decoded) === host);
}
