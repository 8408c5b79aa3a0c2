import { findNewPathFlaw, findScopeFlaw } from '../../../lib/paths.ts';
import { type KindOfName, nameLimits } from '../../../lib/policy/limits.ts';
import type { Answers, Questions } from './questions.ts';

/** How a policy compares with its original. */
export interface Comparison {
  /** How many names were judged by both. */
  readonly names: number;
  /** How many paths and scopes were made by both. */
  readonly paths: number;
  /** How often Dapple decides otherwise, by the reason. */
  readonly decided: ReadonlyMap<string, number>;
  readonly differences: readonly string[];
}

/** Compares the answers of a policy with those of its original. */
export function compare(questions: Questions, original: Answers, own: Answers): Comparison {
  const decided = new Map<string, number>();
  const differences: string[] = [];
  let names = 0;
  let paths = 0;
  const judge = (what: string, theirs: string | null, ours: string | null, decision: string | undefined) => {
    if (normalise(theirs) === normalise(ours)) return;
    if (decision === undefined) differences.push(`${what}: original ${say(theirs)}, Dapple ${say(ours)}`);
    else decided.set(decision, (decided.get(decision) ?? 0) + 1);
  };
  for (const [kind, texts] of Object.entries(questions.names)) {
    for (const [index, text] of texts.entries()) {
      names += 1;
      const theirs = original.names[kind]?.[index] ?? null;
      const ours = own.names[kind]?.[index] ?? null;
      judge(`${kind} ${JSON.stringify(text)}`, theirs, ours, ours === null ? undefined : decisionOn(kind, text));
    }
  }
  for (const [index, [scope, name, type]] of questions.dids.entries()) {
    names += 1;
    const theirs = original.dids[index] ?? null;
    const ours = own.dids[index] ?? null;
    const isFile = type === 'FILE';
    judge(
      `${type} ${JSON.stringify(`${scope}:${name}`)}`,
      theirs,
      ours,
      ours === null ? undefined : decisionOnDid(name, isFile),
    );
  }
  for (const kind of ['paths', 'copyPaths', 'scopes'] as const) {
    for (const [algorithm, asked] of Object.entries(questions[kind])) {
      const theirs = original[kind][algorithm];
      if (theirs === null || theirs === undefined) {
        differences.push(`${kind}.${algorithm}: the original has none`);
        continue;
      }
      for (const [index, question] of asked.entries()) {
        paths += 1;
        const our = own[kind][algorithm]?.[index] ?? null;
        const their = theirs[index] ?? null;
        judge(`${kind}.${algorithm} ${JSON.stringify(question)}`, their, our, decisionOnPath(question));
      }
    }
  }
  return { names, paths, decided, differences };
}

const say = (answer: string | null) => (answer === null ? 'none' : JSON.stringify(answer));

/** Dapple shows the beginning of a long text. */
function normalise(answer: string | null): string | null {
  return answer?.endsWith(' is too long') === true ? 'too long' : answer;
}

/** Why Dapple may refuse a name that the original allows, or in other words: no policy goes beyond the limits. */
function decisionOn(kind: string, text: string): string | undefined {
  if (kind === 'activity') return undefined;
  const { pattern, longest } = nameLimits[kind as KindOfName];
  if (!pattern.test(text)) return 'characters beyond the limits';
  if (text.length > longest || (kind === 'scope' && text.length > 25)) return 'longer than the limits';
  return kind === 'scope' && findScopeFlaw(text) !== undefined ? 'folders that lead elsewhere' : undefined;
}

function decisionOnDid(name: string, isFile: boolean): string | undefined {
  if (!nameLimits.did.pattern.test(name)) return 'characters beyond the limits';
  if (name.length > nameLimits.did.longest) return 'longer than the limits';
  if (isFile && name.includes('#')) return 'a file with #';
  return findNewPathFlaw(name.replaceAll('#', '_')) === undefined ? undefined : 'names that name no file';
}

function decisionOnPath(question: unknown): string | undefined {
  return /[^\w./+~=:#@,[\]"-]/.test(JSON.stringify(question)) ? 'names that no policy allows' : undefined;
}
