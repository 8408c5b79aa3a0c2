import { type WireAnswer, send } from './http.ts';
import { knownTexts, normalise, parseBody } from './normalise.ts';
import { passwordOf } from './steps.ts';
import type { Actor, Answer, JsonValue, Scenario, Step } from './types.ts';

const ROOT_IDENTITY = { username: 'ddmlab', password: 'secret' };
const NEVER_ISSUED = 'nobody-nobody-unknown-00000000000000000000000000000000';

/** One step together with the normalised answer to it. */
export interface Replayed {
  readonly step: Step;
  readonly answer: Answer;
}

/**
 * Runs a scenario against a server, step by step, and yields each step with its normalised answer.
 * None of the scenario's names may exist on the server, and its root must be ddmlab/secret.
 */
export async function* replay(scenario: Scenario, baseUrl: string): AsyncGenerator<Replayed, void, undefined> {
  const known = knownTexts(scenario);
  const tokens = new Map<Actor, string>();
  const variables = new Map<string, string>();
  for (const step of scenario.steps) {
    const headers = {
      ...(await tokenHeaders(baseUrl, step.as, tokens)),
      ...fillHeaders(step.headers ?? {}, variables),
    };
    const wire = await send(baseUrl, step.method, fill(step.path, variables), headers, bodyText(step, variables));
    keep(step, wire, variables);
    yield { step, answer: normalise(wire, baseUrl, known) };
  }
}

/** Fetches a token for an account over `/auth/userpass`. */
async function login(baseUrl: string, accountName: string): Promise<string> {
  const { username, password } =
    accountName === 'root' ? ROOT_IDENTITY : { username: accountName, password: passwordOf(accountName) };
  const answer = await send(
    baseUrl,
    'GET',
    '/auth/userpass',
    {
      'X-Rucio-Account': accountName,
      'X-Rucio-Username': username,
      'X-Rucio-Password': password,
    },
    undefined,
  );
  const token = answer.headers['x-rucio-auth-token'];
  if (answer.status !== 200 || typeof token !== 'string') {
    throw new Error(`no token for account ${accountName}: status ${String(answer.status)}`);
  }
  return token;
}

async function tokenHeaders(
  baseUrl: string,
  actor: Actor,
  tokens: Map<Actor, string>,
): Promise<Record<string, string>> {
  if (actor === 'none') return {};
  if (actor === 'empty') return { 'X-Rucio-Auth-Token': '' };
  if (actor === 'bad') return { 'X-Rucio-Auth-Token': NEVER_ISSUED };
  const token = tokens.get(actor) ?? (await login(baseUrl, actor));
  tokens.set(actor, token);
  return { 'X-Rucio-Auth-Token': token };
}

function bodyText(step: Step, variables: ReadonlyMap<string, string>): string | undefined {
  const { body } = step;
  if (body === undefined) return undefined;
  const raw =
    typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 1
      ? body['raw']
      : undefined;
  return fill(typeof raw === 'string' ? raw : JSON.stringify(body), variables);
}

function fillHeaders(
  headers: Readonly<Record<string, string>>,
  variables: ReadonlyMap<string, string>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value, variables)]));
}

/** Replaces every `{{variable}}` by what an earlier step saved under that name. */
function fill(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_match, name: string) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`no step saved a variable ${name}`);
    return value;
  });
}

function keep(step: Step, wire: WireAnswer, variables: Map<string, string>): void {
  for (const [name, path] of Object.entries(step.save ?? {})) {
    const { body } = parseBody(wire.text, wire.headers['content-type'] ?? null);
    const value = at(typeof body === 'string' ? readText(body) : body, path);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Error(`step "${step.name}": nothing to save as ${name}`);
    variables.set(name, String(value));
  }
}

/** Rucio sends some JSON as if it were HTML. */
function readText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function at(value: JsonValue | undefined, path: string): JsonValue | undefined {
  let current = value;
  for (const key of path === '' ? [] : path.split('.')) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = Array.isArray(current) ? current[Number(key)] : current[key];
  }
  return current;
}
