import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** An answer as received. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends one request with the path exactly as given (no normalisation, no redirects followed, no
 * headers added but `Host` and `Content-Length`) and reads the whole answer.
 */
export function send(
  baseUrl: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<WireAnswer> {
  const base = new URL(baseUrl);
  const options = {
    protocol: base.protocol,
    hostname: base.hostname,
    port: base.port,
    method,
    path: pathPrefix(base) + path,
    headers: body === undefined ? headers : { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
    timeout: 60_000,
  };
  return new Promise((resolve, reject) => {
    const request = (base.protocol === 'https:' ? httpsRequest : httpRequest)(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${path}`)));
    request.end(body);
  });
}

/** The part of the base URL's path that comes before every route, without a final slash. */
export function pathPrefix(base: URL): string {
  return base.pathname.replace(/\/+$/, '');
}
