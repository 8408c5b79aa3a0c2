import { hash as digest } from 'node:crypto';

import { folderOfScope } from '../paths.ts';
import type { CopiedFile, PathedFile, PathRule } from './policy.ts';

/** Values of a file that a template may name. */
const values = new Map<string, (file: PathedFile & Partial<CopiedFile>) => string>([
  ['scope', ({ scope }) => scope],
  ['name', ({ name }) => name],
  // The last segment of the name.
  ['base', ({ name }) => name.slice(name.lastIndexOf('/') + 1)],
  ['dataset', ({ dataset = 'other' }) => dataset],
  ['md5', ({ scope, name }) => digest('md5', `${scope}:${name}`)],
  ['folder(scope)', ({ scope }) => folderOfScope(scope)],
]);

const placeholder = /\{([^{}]*)\}/;
const parts = /^([a-z0-9()]+?)(?:\[(\d+):(\d+)\])?$/;

/**
 * Why a text is no template. One holds values between braces: `{scope}`, `{name}`, `{base}` (the last segment of the name),
 * `{dataset}` (of copies alone), `{md5}` (of `scope:name`, as hexadecimal digits), `{folder(scope)}` (scopes of users and groups
 * as nested folders); `{md5[0:2]}` is a part of one.
 */
export function findTemplateFlaw(template: string): string | undefined {
  for (const [whole, inner = ''] of template.matchAll(new RegExp(placeholder, 'g'))) {
    if (!values.has(parts.exec(inner)?.[1] ?? ''))
      return `${whole} is none of ${Array.from(values.keys(), (value) => `{${value}}`).join(', ')}`;
  }
  return /[{}]/.test(template.replaceAll(new RegExp(placeholder, 'g'), '')) ? 'a brace is not closed' : undefined;
}

/** A rule as a function, which throws an Error for a file that has no path. Templates are read here, once for all files. */
export function compilePath<F extends PathedFile>(rule: PathRule<F>): (file: F) => string {
  if (typeof rule === 'function') return rule;
  // The texts at odd places are what was between braces.
  const pieces = rule.split(placeholder).map((text, index) => {
    const [, name = '', from = '0', to] = (index % 2 === 1 ? parts.exec(text) : undefined) ?? [];
    return { text, name, value: values.get(name), from: Number(from), to: to === undefined ? undefined : Number(to) };
  });
  return (file) => {
    let path = '';
    let last: { readonly name: string; readonly value: string } | undefined;
    for (const { text, name, value, from, to } of pieces) {
      if (value === undefined) path += text;
      else {
        // A hash is used in parts, one after the other.
        if (last?.name !== name) last = { name, value: value(file) };
        path += to === undefined ? last.value : last.value.slice(from, to);
      }
    }
    return path;
  };
}

/**
 * The number of folders that a path has between the folders of the scope and the name, so that only few DIDs can have one path;
 * undefined if a path does not tell so of its DID. That of a function may not.
 */
export function foldersBetween(rule: PathRule<PathedFile>): number | undefined {
  const [, between] =
    (typeof rule === 'string' ? /^\{folder\(scope\)\}\/(.*\/)?\{name\}$/.exec(rule) : undefined) ?? [];
  if (between === undefined) return rule === '{folder(scope)}/{name}' ? 0 : undefined;
  // Other values may have slashes of their own.
  const isFixed = between
    .matchAll(new RegExp(placeholder, 'g'))
    .every(([, inner = '']) => parts.exec(inner)?.[1] === 'md5');
  return isFixed ? between.split('/').length - 1 : undefined;
}
