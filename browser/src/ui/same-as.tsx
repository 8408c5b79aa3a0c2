import type { Method } from '../../../lib/contract/route.ts';
import { apiUrl, type Query, urlOf } from '../api/client.ts';
import type { TargetOf } from '../api/contract.ts';
import { writeJson } from '../api/json.ts';
import { session } from '../api/session.ts';
import { shellWord } from '../format.ts';
import { CopyButton } from './basics.tsx';
import { useTerminalEntry } from './terminal-entries.ts';

/** A request, as `curl` sends it. */
interface AnyRequest {
  readonly method?: string;
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** Beside the token. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request of a route. */
interface SameRequest extends AnyRequest {
  readonly path: TargetOf<Method>;
}

/** The command that sends a request; the token is in `$TOKEN`. */
export function curlCommand({ method = 'GET', path, query, body, headers = {} }: AnyRequest): string {
  const words = [
    'curl',
    '-H "X-Rucio-Auth-Token: $TOKEN"',
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', shellWord(`${name}: ${value}`)]),
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : ['-X', method]),
    shellWord(urlOf(path, query)),
    ...(body === undefined ? [] : ['-d', shellWord(writeJson(body))]),
  ];
  return words.join(' ');
}

/** Says where the `$TOKEN` of the commands comes from. */
export function TokenHint() {
  const headers = [
    `X-Rucio-Account: ${session()?.account ?? 'ACCOUNT'}`,
    'X-Rucio-Username: NAME',
    'X-Rucio-Password: PASSWORD',
  ];
  const words = headers.map((header) => `-H ${shellWord(header)}`).join(' ');
  const request = `curl -s -o /dev/null -w '%header{x-rucio-auth-token}' ${words} ${shellWord(apiUrl('/auth/userpass'))}`;
  return (
    <>
      <p class="hint">
        <code>$TOKEN</code> is what a log-in answers in the header <code>X-Rucio-Auth-Token</code>. It is valid for one
        hour:
      </p>
      <Command name="curl" text={`TOKEN=$(${request})`} />
    </>
  );
}

/** A request of this page for the menu of the terminal: with the official client, and with `curl`. */
export function SameAs({ label, rucio, curl }: { label?: string; rucio?: string | undefined; curl: SameRequest }) {
  useTerminalEntry(label, rucio, curlCommand(curl));
  return null;
}

/** A command to copy. */
export function Command({ name, text }: { name: string; text: string }) {
  return (
    <div class="command">
      <span class="command-name">{name}</span>
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  );
}
