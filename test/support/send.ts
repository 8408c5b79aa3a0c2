import { Agent, type IncomingMessage, request as requestPlain } from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import { text as textOf } from 'node:stream/consumers';

/** A request as it is sent. */
interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** An answer as it came. */
interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const plain = { request: requestPlain, agent: new Agent({ keepAlive: true }) };
const tls = { request: requestTls, agent: new TlsAgent({ keepAlive: true }) };

/** Sends a request and reads its answer; follows no redirect. `fetch` takes a fifth more of the time of a test. */
export async function send(url: URL, { method, headers, body }: Sent): Promise<Received> {
  const { request, agent } = url.protocol === 'https:' ? tls : plain;
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const length = bytes === undefined ? {} : { 'Content-Length': bytes.length };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, headers: { ...headers, ...length }, agent }, resolve)
      .once('error', reject)
      .end(bytes);
  });
  const text = await textOf(answer);
  return { status: answer.statusCode ?? 0, headers: headersOf(answer), text };
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}
