/**
 * The part of AWS's runtime client that is compiled C++, in its three calls of the Runtime API; `hook-native-client.ts` puts it
 * in its place.
 */
import { request } from 'node:http';

/** An event with the headers of its invocation. */
interface Invocation {
  readonly bodyJson: string;
  readonly headers: object;
}

const [hostname = '', port = ''] = (process.env['AWS_LAMBDA_RUNTIME_API'] ?? '').split(':');

function call(method: string, path: string, body = '', headers: Record<string, string> = {}): Promise<Invocation> {
  const url = { hostname, port, method, path: `/2018-06-01/runtime/invocation/${path}`, headers };
  return new Promise((resolve, reject) => {
    request(url, (answer) => {
      let bodyJson = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (bodyJson += chunk));
      answer.on('end', () => resolve({ bodyJson, headers: answer.headers }));
    })
      .on('error', reject)
      .end(body);
  });
}

/** Waits for the next event. */
export function next(): Promise<Invocation> {
  return call('GET', 'next');
}

/** Sends the result of a function that does not stream. */
export function done(id: string, body: string): void {
  void call('POST', `${id}/response`, body, { 'Content-Type': 'application/json' });
}

/** Sends the error of a function that does not stream. */
export function error(id: string, body: string): void {
  void call('POST', `${id}/error`, body, { 'Content-Type': 'application/json' });
}
