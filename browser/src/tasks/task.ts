import type { ComponentChildren, ComponentType } from 'preact';

import type { PreparedRequest } from '../api/client.ts';
import type { TaskId } from './catalogue.ts';
import type { NamedKind } from './name-rule.tsx';

/** A field of a form; its value is a text. */
export interface Field<N extends string = string> {
  /** Its name in addresses: `#/do/attach?did=...` fills it in. The names `did`, `scope`, `account` and `rse` say what rights are asked for. */
  readonly name: N;
  readonly label: string;
  readonly hint?: string;
  /** By default one line of text. The value of a `check` is `yes` or empty; `lines` has one entry a line. */
  readonly kind?: 'number' | 'password' | 'lines' | 'check' | 'rses';
  /** Values with their words. */
  readonly choices?: readonly (readonly [value: string, words: string])[];
  /** Names of the catalogue that it suggests. */
  readonly suggest?: 'accounts' | 'rses' | 'own scopes';
  readonly initial?: string;
  readonly required?: true;
  readonly placeholder?: string;
  readonly min?: string;
  readonly max?: string;
  readonly step?: string;
  readonly pattern?: string;
  /** It makes a name of this kind, which the policy has a pattern for. */
  readonly names?: (values: Readonly<Record<string, string | undefined>>) => NamedKind;
  /** The field is there only with these values of the others. */
  readonly when?: (values: Readonly<Record<string, string | undefined>>) => boolean;
}

/** The values of fields by their names. */
export type ValuesOf<F extends readonly Field[]> = { readonly [N in F[number]['name']]: string };

/** A task: one form, what it does, and how it is done elsewhere. */
export interface Task<F extends readonly Field[] = readonly Field[]> {
  /** What the task is, in a sentence. */
  readonly about: string;
  /** The words of the button. */
  readonly button: string;
  readonly fields: F;
  /** The effect of the present values. */
  readonly effect: (values: ValuesOf<F>) => ComponentChildren;
  /** What the catalogue says of the effect. */
  readonly Preview?: ComponentType<{ values: ValuesOf<F> }>;
  /** The requests, which are sent one after the other. */
  readonly requests: (values: ValuesOf<F>) => readonly PreparedRequest[];
  /** The commands of the official client that do the same; none where it cannot. */
  readonly rucio: (values: ValuesOf<F>) => readonly string[];
  /** Where the result is seen: the words of a link, and its place. */
  readonly result: (values: ValuesOf<F>) => readonly [words: string, place: string];
}

/** Declares a task, whose values are known by the names of its fields. */
export function task<const F extends readonly Field[]>(declared: Task<F>): Task {
  return declared;
}

/** The tasks of a group. */
export type Tasks = Readonly<Partial<Record<TaskId, Task>>>;
