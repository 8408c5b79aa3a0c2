import { urlOf } from '../api/client.ts';
import { parseJson, writeJson } from '../api/json.ts';
import { session } from '../api/session.ts';

/** A request of the form. */
export interface Sent {
  readonly method: string;
  /** Path and query below the root of the interface. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** An answer, as far as it has arrived. */
export interface Received {
  readonly state: 'sent' | 'reading' | 'done' | 'failed';
  readonly status?: number;
  readonly statusText?: string;
  readonly milliseconds?: number;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

/** So much of a body is read: lists can have millions of lines. */
const maxCharacters = 50_000;

const tokenHeader = 'X-Rucio-Auth-Token';

/** Sends a request with the token of the page, and tells what has arrived. A redirect is followed, as browsers do. */
export async function sendAndRead(
  { method, target, headers, body }: Sent,
  signal: AbortSignal,
  tell: (received: Received) => void,
): Promise<void> {
  const begin = performance.now();
  const token = session()?.token;
  const all = new Headers(headers);
  if (token !== undefined && !all.has(tokenHeader)) all.set(tokenHeader, token);
  try {
    const response = await fetch(urlOf(target), {
      method,
      headers: all,
      signal,
      ...(body === undefined ? {} : { body }),
    });
    const head = {
      status: response.status,
      statusText: response.statusText,
      milliseconds: Math.round(performance.now() - begin),
      // The token is a secret: an example that is passed on shall not have it.
      headers: [...response.headers].map(
        ([name, value]) => [name, name === tokenHeader.toLowerCase() ? '(not shown)' : value] as const,
      ),
    };
    const text = await readText(response, (part) => tell({ ...head, state: 'reading', text: part }));
    tell({ ...head, state: 'done', text: indent(text) });
  } catch (error) {
    const text = signal.aborted ? 'Stopped.' : `No answer: ${error instanceof Error ? error.message : String(error)}`;
    tell({ state: 'failed', text });
  }
}

async function readText({ body }: Response, onPart: (text: string) => void): Promise<string> {
  if (body === null) return '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > maxCharacters) {
      await reader.cancel();
      return `${text.slice(0, maxCharacters)}\n… more was not read`;
    }
    onPart(text);
  }
}

/** JSON, or lines of JSON, with indentation, integers in full; any other text as it is. */
function indent(text: string): string {
  const whole = indentValue(text);
  if (whole !== undefined || !/^[[{"]/.test(text)) return whole ?? text;
  // The last line may have been cut.
  return text
    .split('\n')
    .map((line) => indentValue(line) ?? line)
    .join('\n');
}

function indentValue(text: string): string | undefined {
  try {
    return writeJson(parseJson(text), 2);
  } catch {
    return undefined;
  }
}
