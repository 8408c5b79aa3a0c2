import type { CatalogueEvent } from '../../api/events.ts';
import type { PageProps } from '../../page.ts';
import { go, placeUrl } from '../../router.ts';
import { PageHead } from '../../ui/basics.tsx';
import { EventList } from '../../ui/event-list.tsx';
import { ChoiceField, TextField } from '../../ui/fields.tsx';

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

const choices = [['', 'Any'], ...types.map((name) => [name, name] as const)] as const;

/** The events of the catalogue as they come. */
export default function EventsPage({ query }: PageProps) {
  const [type] = choices.find(([known]) => known === query.get('type')) ?? choices[0];
  const scope = query.get('scope') ?? '';
  const show = (change: Record<string, string>) =>
    go(placeUrl(['events'], { type, scope, ...change }), { replace: true });
  return (
    <>
      <PageHead title="Live events" lead="What changes in the catalogue, as it happens." />
      <form class="form-row" onSubmit={(event) => event.preventDefault()}>
        <ChoiceField label="Type" of={choices} value={type} onChange={(chosen) => show({ type: chosen })} />
        <TextField
          label="Scope"
          value={scope}
          placeholder="any"
          spellcheck={false}
          onChange={(text) => show({ scope: text })}
        />
      </form>
      <EventList query={{ type, scope }} heading="Events" />
    </>
  );
}
