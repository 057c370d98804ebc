import { expect, it } from 'vitest';
import { crc32c, maskedCrc32c } from '../../worker/formats/crc32c.ts';

// RFC 3720, appendix B.4, and the check value of the CRC catalogue for "123456789".
it.each([
  ['32 zeros', new Uint8Array(32), 0x8a9136aa],
  ['32 ones', new Uint8Array(32).fill(0xff), 0x62a8ab43],
  ['0 to 31', Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
  ['31 to 0', Uint8Array.from({ length: 32 }, (_, i) => 31 - i), 0x113fdb5c],
  ['"123456789"', new TextEncoder().encode('123456789'), 0xe3069283],
  ['nothing', new Uint8Array(0), 0],
])('gives the published checksum of %s', (_, bytes, expected) => {
  expect(crc32c(bytes)).toBe(expected);
});

it('masks as TFRecord does: rotated right by 15, plus 0xa282ead8', () => {
  // 0xe3069283 rotated right by 15 is 0x2507c60d.
  expect(maskedCrc32c(new TextEncoder().encode('123456789'))).toBe((0x2507c60d + 0xa282ead8) >>> 0);
});
