import { readSettings } from '../api/log-in.ts';
import type { PageSettings } from '../api/types.ts';
import { useLoad } from '../load.ts';

/** Kinds of names that the policy of the server has patterns for. */
export type NamedKind = keyof PageSettings['policy']['names'];

const nouns: Readonly<Record<NamedKind, string>> = {
  scope: 'names of scopes',
  DATASET: 'names of datasets',
  CONTAINER: 'names of containers',
  FILE: 'names of files',
  account: 'names of accounts',
  rse: 'names of RSEs',
};

/** How the policy wants names of a kind, and whether the typed one is such; nothing before the policy is known. */
export function NameRule({ kind, name }: { kind: NamedKind; name: string }) {
  const { value } = useLoad('settings', readSettings);
  if (value === undefined) return null;
  const { pattern, longest } = value.policy.names[kind];
  const fits = isFitting(name, pattern, longest);
  return (
    <p class={fits ? 'hint' : 'note'} data-tone={fits ? undefined : 'waiting'}>
      {!fits && (
        <>
          <strong>
            <bdi class="name">{name}</bdi> would be refused.
          </strong>{' '}
        </>
      )}
      The policy <code>{value.policy.name}</code> wants {nouns[kind]} that match <code class="name">{pattern}</code>
      {longest !== null && `, with ${longest} characters at most`}.
    </p>
  );
}

/** An empty name is one that is not typed yet. */
function isFitting(name: string, pattern: string, longest: number | null): boolean {
  if (name === '') return true;
  try {
    return new RegExp(pattern).test(name) && (longest === null || name.length <= longest);
  } catch {
    // A pattern of another language: the service judges.
    return true;
  }
}
