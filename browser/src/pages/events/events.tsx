import type { CatalogueEvent } from '../../api/events.ts';
import type { PageProps } from '../../page.ts';
import { go, placeUrl } from '../../router.ts';
import { PageHead } from '../../ui/basics.tsx';
import { EventList } from '../../ui/event-list.tsx';

const types = [
  'CREATE_DTS',
  'CREATE_CNT',
  'CREATE_FILE',
  'ERASE',
  'OPEN',
  'CLOSE',
  'SET_METADATA',
  'ATTACH',
  'DETACH',
  'ADD_REPLICA',
  'UPDATE_REPLICA',
  'deletion-done',
  'deletion-failed',
  'transfer-queued',
  'transfer-done',
  'transfer-failed',
  'CREATE_RULE',
  'UPDATE_RULE',
  'DELETE_RULE',
  'RULE_OK',
  'CREATE_ACCOUNT',
  'CREATE_SCOPE',
  'CREATE_RSE',
  'UPDATE_RSE',
] as const satisfies readonly CatalogueEvent['type'][];

/** The events of the catalogue as they come. */
export default function EventsPage({ query }: PageProps) {
  const type = types.find((known) => known === query.get('type')) ?? '';
  const scope = query.get('scope') ?? '';
  const show = (change: Record<string, string>) =>
    go(placeUrl(['events'], { type, scope, ...change }), { replace: true });
  return (
    <>
      <PageHead title="Live events" lead="What changes in the catalogue, as it happens." />
      <form class="form-row" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>Type</span>
          <select value={type} onChange={({ currentTarget }) => show({ type: currentTarget.value })}>
            <option value="">Any</option>
            {types.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Scope</span>
          <input
            value={scope}
            placeholder="any"
            spellcheck={false}
            onChange={({ currentTarget }) => show({ scope: currentTarget.value.trim() })}
          />
        </label>
      </form>
      <EventList query={{ type, scope }} heading="Events" />
    </>
  );
}
