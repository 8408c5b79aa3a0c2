import type { Engines } from './exchange.ts';
import { isObject, type NormalAnswer, normaliseAnswer } from './normalise.ts';
import { pairParts, splitRequest } from './parts.ts';
import type { Body, JudgedRequest } from './request.ts';
import { type JudgedTable, tables } from './tables.ts';

/** The answers of both engines to a request with less than another one. */
export interface Trial {
  readonly left: NormalAnswer;
  readonly right: NormalAnswer;
}

const trialName = (name: string) => `${name}Trial`;

/** Tables like the judged ones, where trials have their effects. */
export const trialTables: readonly JudgedTable[] = tables.map((table) => ({
  ...table,
  name: trialName(table.name),
  stream: false,
}));

/**
 * Asks both engines for what a refused request consists of: for each part of a batch or transaction, for each two parts,
 * and for what remains of an action without its key or its expressions. This happens on tables of its own.
 *
 * @returns the trials that both engines refuse.
 */
export async function tryParts(engines: Engines, request: JudgedRequest): Promise<Trial[]> {
  const refused: Trial[] = [];
  for (const part of [...splitRequest(request), ...pairParts(request)]) {
    const trial = await tryOut(engines, part);
    if (trial.left.error !== undefined && trial.right.error !== undefined) refused.push(trial);
  }
  return refused;
}

async function tryOut({ left, right }: Engines, { operation, body }: JudgedRequest): Promise<Trial> {
  const moved = moveToTrials(body) as Body;
  const [ours, theirs] = await Promise.all([left.send(operation, moved), right.send(operation, moved)]);
  return { left: normaliseAnswer(ours), right: normaliseAnswer(theirs) };
}

/** The value with the names of the trial tables in place of those of the judged ones. */
function moveToTrials(value: unknown): unknown {
  const rename = (text: string) => (tables.some(({ name }) => name === text) ? trialName(text) : text);
  if (typeof value === 'string') return rename(value);
  if (Array.isArray(value)) return value.map(moveToTrials);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), moveToTrials(member)]));
}
