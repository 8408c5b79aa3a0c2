/** The part of a URL path that selects protocols of an RSE. */
export interface ProtocolPath {
  readonly scheme: string;
  readonly hostname?: string;
  readonly port?: string;
}

/** Parses the port of a path; undefined when it is no number. */
export function readPort(port: string | undefined): number | undefined {
  return port !== undefined && /^[+-]?\d+$/.test(port) ? Number(port) : undefined;
}
