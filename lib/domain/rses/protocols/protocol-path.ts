/** The part of a path that names protocols of an RSE: the scheme, then what more was given, as it was given. */
export interface ProtocolPath {
  readonly scheme: string;
  readonly hostname?: string;
  readonly port?: string;
}

/** A port of a path as a number; undefined where it is none. */
export function readPort(port: string | undefined): number | undefined {
  return port !== undefined && /^[+-]?\d+$/.test(port) ? Number(port) : undefined;
}
