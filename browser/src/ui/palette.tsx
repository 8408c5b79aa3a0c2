import { useEffect, useRef, useState } from 'preact/hooks';

import { endSession } from '../api/session.ts';
import { go, goToFound, placeUrl } from '../router.ts';
import { taskEntries } from '../tasks/catalogue.ts';
import { listVisits } from '../visited.ts';
import { findPlace } from './find-place.ts';
import { groups } from './places.ts';

/** Something that the palette offers. */
interface Offer {
  readonly kind: string;
  readonly label: string;
  readonly run: () => unknown;
}

const maxOffers = 12;

/** Everything that fits the typed text: pages, actions, what was visited, and a search. */
function listOffers(text: string): readonly Offer[] {
  const to = (url: string) => () => go(url);
  const offers: Offer[] = [
    ...groups.flatMap(([, places]) => places.map(([id, label]) => ({ kind: 'page', label, run: to(placeUrl([id])) }))),
    { kind: 'action', label: 'New rule', run: to(placeUrl(['new-rule'])) },
    ...Object.entries(taskEntries).map(([id, { label }]) => ({ kind: 'action', label, run: to(placeUrl(['do', id])) })),
    { kind: 'action', label: 'Log out', run: endSession },
    ...listVisits('saved').map(({ label, url }) => ({ kind: 'saved search', label, run: to(url) })),
    ...listVisits('places').map(({ label, url }) => ({ kind: 'visited', label, run: to(url) })),
    ...listVisits('searches').map(({ label, url }) => ({ kind: 'search', label, run: to(url) })),
  ];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = offers.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  if (text === '') return fitting.slice(0, maxOffers);
  return [
    ...fitting.slice(0, maxOffers - 2),
    { kind: 'go', label: `Open ${text}`, run: () => goToFound(() => findPlace(text)) },
    { kind: 'search', label: `Search all scopes for ${text}`, run: to(placeUrl(['search'], { q: text })) },
  ];
}

/** A dialog that leads anywhere by the keyboard. */
export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const offers = listOffers(text.trim());
  const active = Math.min(chosen, offers.length - 1);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(
    () => dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }),
    [active],
  );
  const run = (offer: Offer | undefined) => {
    dialog.current?.close();
    void offer?.run();
  };
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    setChosen((active + step + offers.length) % offers.length);
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Go to a page or begin something" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run(offers[active]);
        }}
      >
        <input
          class="large"
          role="combobox"
          aria-label="Page, action or name"
          aria-expanded="true"
          aria-controls="offers"
          aria-activedescendant={`offer-${active}`}
          autocomplete="off"
          spellcheck={false}
          placeholder="Page, action or name"
          value={text}
          onKeyDown={move}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setChosen(0);
          }}
        />
      </form>
      <div id="offers" role="listbox" aria-label="What fits">
        {offers.map((offer, i) => (
          <button
            type="button"
            key={`${offer.kind} ${offer.label}`}
            id={`offer-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === active}
            onClick={() => run(offer)}
          >
            <bdi>{offer.label}</bdi>
            <span class="push">{offer.kind}</span>
          </button>
        ))}
      </div>
    </dialog>
  );
}
