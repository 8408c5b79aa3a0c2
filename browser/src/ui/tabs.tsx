import { placeUrl } from '../router.ts';

/** A part of a page that has a URL of its own. */
export interface Tab {
  readonly id: string;
  readonly label: string;
}

/** Links to the parts of a page. */
export function Tabs({
  of,
  present,
  parts,
  label,
  query = {},
}: {
  of: readonly Tab[];
  present: string;
  parts: readonly string[];
  label: string;
  /** The query that all tabs keep. */
  query?: Readonly<Record<string, string>>;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {of.map(({ id, label: text }, i) => (
          <li key={id}>
            <a
              href={placeUrl(parts, i === 0 ? query : { ...query, tab: id })}
              aria-current={id === present ? 'page' : undefined}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
