import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

/** The interval at which the files are looked at. A watch of the system would miss the links that certbot exchanges. */
const intervalMs = 2_000;

/** From this time before its end a certificate is complained about, at the start and every day. */
const warnMs = 14 * 86_400_000;
const dayMs = 86_400_000;

/** The files of a certificate, with its chain, and of its key; both PEM. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** The certificate of a server, which files renew. */
export class ServerCertificate {
  readonly #files: CertificateFiles;
  readonly #say: (line: string) => void;
  #tls: SecureContextOptions;
  #certificate: X509Certificate;
  #seen: string;
  #warnedAt = Number.NEGATIVE_INFINITY;

  /** @throws Error with the reason if a file cannot be read, or if the key is that of another certificate. */
  constructor(files: CertificateFiles, say: (line: string) => void) {
    this.#files = files;
    this.#say = say;
    this.#seen = statesOf(files);
    ({ tls: this.#tls, certificate: this.#certificate } = readFiles(files));
    this.#warn();
  }

  /** What a port needs that speaks TLS. */
  get tls(): SecureContextOptions {
    return this.#tls;
  }

  /** Its end, in milliseconds since 1970. */
  get endsAt(): number {
    return Date.parse(this.#certificate.validTo);
  }

  /** A name for which it is good: `localhost`, or else its first name. */
  get name(): string {
    if (this.isFor('localhost')) return 'localhost';
    return /DNS:([^,*\s]+)/.exec(this.#certificate.subjectAltName ?? '')?.[1] ?? 'localhost';
  }

  /** Whether clients accept it for a name or an address, as `Host` has them. */
  isFor(name: string): boolean {
    const address = name.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address) !== 0) return this.#certificate.checkIP(address) !== undefined;
    // Node throws if the text is no host name.
    return /^[\w.-]+$/.test(name) && this.#certificate.checkHost(name) !== undefined;
  }

  /** Reads the files again when they have changed; returns how to stop. */
  watch(renew: (tls: SecureContextOptions) => void): () => void {
    const timer = setInterval(() => {
      this.#warn();
      const states = statesOf(this.#files);
      if (states === this.#seen) return;
      this.#seen = states;
      try {
        ({ tls: this.#tls, certificate: this.#certificate } = readFiles(this.#files));
        renew(this.#tls);
        this.#say(`the certificate was renewed: it ends ${this.#certificate.validTo}`);
        this.#warnedAt = Number.NEGATIVE_INFINITY;
      } catch (error) {
        // The other file may follow: the one that is in use stays.
        this.#say(`${error instanceof Error ? error.message : String(error)} The former certificate stays in use.`);
      }
    }, intervalMs).unref();
    return () => clearInterval(timer);
  }

  #warn(): void {
    const now = Date.now();
    if (this.endsAt - now > warnMs || now - this.#warnedAt < dayMs) return;
    this.#warnedAt = now;
    const verb = this.endsAt < now ? 'ended' : 'ends';
    this.#say(`the certificate ${this.#files.cert} ${verb} ${this.#certificate.validTo}`);
  }
}

function readFiles({ cert, key }: CertificateFiles) {
  const tls = { cert: read(cert), key: read(key) };
  try {
    createSecureContext(tls);
    return { tls, certificate: new X509Certificate(tls.cert) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${cert} and ${key} are no certificate with its key: ${reason}.`, { cause: error });
  }
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${path} cannot be read: ${reason}.`, { cause: error });
  }
}

/** Changes with either file. */
function statesOf({ cert, key }: CertificateFiles): string {
  return [cert, key]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? 'none' : `${stat.ino} ${stat.mtimeMs} ${stat.size}`))
    .join(', ');
}
