import { Agent, request } from 'node:http';

import type { WireAnswer } from './answers.ts';
import type { GeneratedRequest } from './requests.ts';

const agent = new Agent({ keepAlive: true });

/** Sends a request unchanged; `fetch` would resolve dots in its path, even escaped ones. */
export function send(baseUrl: string, { method, target, headers, body }: GeneratedRequest): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body ?? '');
    const sending = request(baseUrl, {
      agent,
      method,
      path: target,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Length': bytes.length }) },
    });
    sending.on('error', reject);
    sending.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string | undefined>,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sending.end(bytes);
  });
}
