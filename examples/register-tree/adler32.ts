const modulus = 65_521;

/** The longest run of bytes whose sums fit into 32 bits without a reduction. */
const runBytes = 5_552;

/** The Adler-32 checksum of bytes that come in parts. */
export class Adler32 {
  #a = 1;
  #b = 0;

  update(data: Uint8Array): this {
    let [a, b] = [this.#a, this.#b];
    for (let start = 0; start < data.length; start += runBytes) {
      const end = Math.min(start + runBytes, data.length);
      for (let index = start; index < end; index += 1) {
        a += data[index] as number;
        b += a;
      }
      a %= modulus;
      b %= modulus;
    }
    [this.#a, this.#b] = [a, b];
    return this;
  }

  /** As 8 lower-case hex digits. */
  digest(): string {
    return (this.#b * 65_536 + this.#a).toString(16).padStart(8, '0');
  }
}

/** The Adler-32 checksum of some bytes as 8 lower-case hex digits. */
export const adler32 = (data: Uint8Array): string => new Adler32().update(data).digest();
