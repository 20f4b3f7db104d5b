import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
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
    const sizes: number[] = [];
    const secret = generateClientSecret((size) => {
      sizes.push(size);
      return randomBytes(size);
    });
    expect(sizes).toEqual([32]);
    expect(secret).toMatch(clientSecretPattern);
    expect(secret).toHaveLength(53);
    expect(isClientSecret(secret)).toBe(true);
  });

  // The format therefore never drifts.
  test('is a fixed text for fixed random bytes', () => {
    expect(zeros).toBe(withChecksum(`fss_${'A'.repeat(43)}`));
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

  const payload = zeros.slice(0, 47);

  test.for([
    ...['', zeros.toUpperCase(), `${zeros}\n`],
    ...[
      `x${payload}`,
      `fsx_${payload.slice(4)}`,
      payload.slice(0, 46),
      `${payload}A`,
      `${payload.slice(0, 46)}+`,
    ].map(withChecksum),
  ])('is not the text %j', (text) => {
    expect(isClientSecret(text)).toBe(false);
  });

  test('that is created is stored as its SHA-256, and has no end', () => {
    const { value, stored } = newClientSecret('2026-01-31T09:00:00.000Z', randomBytes);

    expect(isClientSecret(value)).toBe(true);
    expect(stored).toStrictEqual({
      secret_id: expect.stringMatching(/^secret_[0-9a-z]{26}$/),
      sha256: digestClientSecret(value).toString('hex'),
      created_at: '2026-01-31T09:00:00.000Z',
    });
    expect(digestClientSecret('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});

/** CRC-32 of the text in base 62, most significant digit first, of six digits. */
function withChecksum(payload: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const places = [5, 4, 3, 2, 1, 0];
  return payload + places.map((place) => digits[Math.floor(crc32(payload) / 62 ** place) % 62]).join('');
}
