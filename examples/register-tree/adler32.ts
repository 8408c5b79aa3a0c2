const modulus = 65_521;

/** The longest run of bytes whose sums fit into 32 bits without a reduction. */
const runBytes = 5_552;

/** The Adler-32 checksum of some bytes as 8 lower-case hex digits. */
export function adler32(data: Uint8Array): string {
  let a = 1;
  let b = 0;
  for (let start = 0; start < data.length; start += runBytes) {
    const end = Math.min(start + runBytes, data.length);
    for (let index = start; index < end; index += 1) {
      a += data[index] as number;
      b += a;
    }
    a %= modulus;
    b %= modulus;
  }
  return (b * 65_536 + a).toString(16).padStart(8, '0');
}
