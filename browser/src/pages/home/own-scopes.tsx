import { getPage, path } from '../../api/client.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';

const shownScopes = 50;

/** The scopes of the reader, as ways to what is in them. */
export function OwnScopes({ account }: { account: string }) {
  const { value, error } = useLoad(`scopes ${account}`, (signal) =>
    getPage(path('/accounts/:account/scopes', { account }), shownScopes, undefined, { signal }),
  );
  const hasNone = error?.exceptionClass === 'ScopeNotFound';
  return (
    <Section heading="My scopes">
      {error !== undefined && !hasNone && <ErrorNote error={error} />}
      {hasNone && <p class="absent">You have none: ask an administrator for one, to make datasets.</p>}
      <ul class="chips">
        {value?.rows.map((scope) => (
          <li key={scope}>
            <a class="name" href={placeUrl(['search'], { q: `${scope}:` })}>
              <bdi>{scope}</bdi>
            </a>
          </li>
        ))}
      </ul>
      {value?.next !== undefined && <p class="hint">The first {shownScopes}.</p>}
    </Section>
  );
}
