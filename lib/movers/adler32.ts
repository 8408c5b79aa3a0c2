/** The largest prime below 2^16. */
const modulus = 65_521;

/** Bytes after which the sums, which grow by 255 a byte, have to be reduced to stay exact in 32 bits. */
const bytesPerReduction = 3_854;

/** The Adler-32 checksum of bytes that come in parts (RFC 1950). */
export class Adler32 {
  #low = 1;
  #high = 0;

  /** Adds bytes. */
  update(bytes: Uint8Array): void {
    let low = this.#low;
    let high = this.#high;
    for (let start = 0; start < bytes.length; start += bytesPerReduction) {
      const end = Math.min(start + bytesPerReduction, bytes.length);
      for (let index = start; index < end; index += 1) {
        low += bytes[index] as number;
        high += low;
      }
      low %= modulus;
      high %= modulus;
    }
    this.#low = low;
    this.#high = high;
  }

  /** Eight lower-case hex digits. */
  digest(): string {
    return (this.#high * 65_536 + this.#low).toString(16).padStart(8, '0');
  }
}
