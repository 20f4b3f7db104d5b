import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clientSecretPattern,
  digestClientSecret,
  generateClientSecret,
  isClientSecret,
  newClientSecret,
} from '../../storage/client-secret.ts';

const zeros = generateClientSecret((size) => new Uint8Array(size));

describe('client secret', () => {
  test('has the documented form: prefix, 256 random bits, checksum', () => {
    const secret = generateClientSecret(randomBytes);
    expect(secret).toMatch(clientSecretPattern);
    expect(secret).toHaveLength(53);
    expect(isClientSecret(secret)).toBe(true);
  });

  test('is a fixed text for fixed random bytes, so that the format never drifts', () => {
    expect(zeros.slice(0, 47)).toBe(`fss_${'A'.repeat(43)}`);
    // CRC-32 of the 47 characters before it, in base 62, most significant digit first.
    expect(zeros.slice(47)).toBe(base62(crc32Reference(zeros.slice(0, 47))));
  });

  test('takes exactly 32 random bytes', () => {
    const sizes: number[] = [];
    generateClientSecret((size) => {
      sizes.push(size);
      return randomBytes(size);
    });
    expect(sizes).toEqual([32]);
  });

  test('with any one character changed is recognised as mistyped', () => {
    fc.assert(
      fc.property(fc.nat({ max: 48 }), fc.constantFrom(...'ABCabc019-_'), (position, character) => {
        const index = 4 + position;
        const changed = zeros.slice(0, index) + character + zeros.slice(index + 1);
        expect(isClientSecret(changed)).toBe(changed === zeros);
      }),
    );
  });

  test.each([
    '',
    'fss_',
    'secret',
    zeros.slice(1),
    `${zeros}0`,
    zeros.toUpperCase(),
    ` ${zeros}`,
    `${zeros}\n`,
  ])('is not %j', (text) => {
    expect(isClientSecret(text)).toBe(false);
  });

  const withChecksum = (payload: string) => payload + base62(crc32Reference(payload));

  test.each([
    ['a text before it', withChecksum(`x${zeros.slice(0, 47)}`)],
    ['a text after it', withChecksum(`${zeros}0`)],
    ['another prefix', withChecksum(`fsx_${zeros.slice(4, 47)}`)],
    ['a character less', withChecksum(zeros.slice(0, 46))],
    ['a character more', withChecksum(`${zeros.slice(0, 47)}A`)],
    ['a character of another alphabet', withChecksum(`${zeros.slice(0, 46)}+`)],
  ])('has its form too, not the checksum alone: not with %s', (_, text) => {
    expect(isClientSecret(text)).toBe(false);
  });

  test('that is made is stored without its value, under an id of its own, and does not end', () => {
    const { value, stored } = newClientSecret('2026-01-31T09:00:00.000Z', randomBytes);
    expect(isClientSecret(value)).toBe(true);
    expect(stored).toStrictEqual({
      secret_id: expect.stringMatching(/^secret_[0-9a-z]{26}$/),
      sha256: digestClientSecret(value).toString('hex'),
      created_at: '2026-01-31T09:00:00.000Z',
    });
  });

  test('is stored as the SHA-256 of the whole secret', () => {
    expect(digestClientSecret('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});

/** Bit by bit, as the polynomial is defined (IEEE 802.3, reflected). */
function crc32Reference(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function base62(value: number): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const text =
    value === 0 ? '' : base62(Math.floor(value / 62)).replace(/^0+/, '') + digits.charAt(value % 62);
  return text.padStart(6, '0');
}
