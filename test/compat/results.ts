/** The results of the compat suite: recorded in test/compat/results, shown in docs/compatibility.md. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** `fails` is never committed: the suite is red then. */
export type Status = 'works' | 'differs' | 'fails';

/** A method of the client library or a command of the command line. */
export interface Subject {
  readonly name: string;
  readonly status: Status;
  /** The difference. */
  readonly note?: string;
  /** The rules that its cases test. */
  readonly rules: readonly { readonly rule: string; readonly differs?: string }[];
}

/** The results of the library or of the command line. */
export interface Recording {
  /** Package and version. */
  readonly client: string;
  readonly subjects: readonly Subject[];
  /** Clients or groups without cases, and why. */
  readonly others: readonly { readonly name: string; readonly why: string }[];
}

/** The recorded results of the methods of the library, or of the commands. */
export async function readRecording(part: 'methods' | 'commands'): Promise<Recording> {
  return JSON.parse(await readFile(recordingPath(part), 'utf8')) as Recording;
}

/** The path of the recorded results. */
export function recordingPath(part: 'methods' | 'commands'): string {
  return fileURLToPath(new URL(`results/${part}.json`, import.meta.url));
}

/** The text of such a file. */
export function formatRecording(recording: Recording): string {
  return `${JSON.stringify(recording, null, 2)}\n`;
}

/** The outcome of a case. */
export interface Ran {
  readonly name: string;
  readonly rule: string;
  readonly differs: string | null;
  readonly failed: boolean;
}

/** Summarises the cases of one subject. */
export function summarise(name: string, cases: readonly Ran[]): Subject {
  const rules = cases.map(({ rule, differs }) => (differs === null ? { rule } : { rule, differs }));
  const differences = cases.flatMap(({ differs }) => differs ?? []);
  if (cases.length === 0 || cases.some(({ failed }) => failed)) return { name, status: 'fails', rules };
  if (differences.length > 0) return { name, status: 'differs', note: differences.join('; '), rules };
  return { name, status: 'works', rules };
}
