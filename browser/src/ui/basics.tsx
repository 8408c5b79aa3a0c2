import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

import type { Loaded } from '../load.ts';
import { takeArrival } from '../router.ts';
import { ErrorNote } from './error-note.tsx';
import { SectionHeading } from './terminal-entries.ts';

/** The heading of a page, and what stands beside it. Sets the title of the window. */
export function PageHead({
  title,
  heading,
  lead,
  actions,
}: {
  title: string;
  heading?: ComponentChildren;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
}) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Dapple`;
  }, [title]);
  // A new page begins at its heading, for the eye and for the screen reader.
  useEffect(() => {
    if (!takeArrival()) return;
    head.current?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: 'instant' });
  }, []);
  return (
    <header class="page-head">
      <div class="page-head-text">
        <h1 ref={head} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {lead !== undefined && <div class="lead">{lead}</div>}
      </div>
      {actions !== undefined && actions !== false && <div class="actions">{actions}</div>}
    </header>
  );
}

/** A part of a page with a heading of its own. */
export function Section({
  heading,
  hidden = false,
  aside,
  children,
}: {
  heading: ComponentChildren;
  /** The heading of the page says it already; only a screen reader needs this one. */
  hidden?: boolean;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="section" aria-labelledby={id}>
      {hidden ? (
        <h2 id={id} class="visually-hidden">
          {heading}
        </h2>
      ) : (
        <div class="section-head">
          <h2 id={id}>{heading}</h2>
          {aside}
        </div>
      )}
      <SectionHeading.Provider value={typeof heading === 'string' ? heading : undefined}>
        {children}
      </SectionHeading.Provider>
    </section>
  );
}

/** Something is being loaded. It appears late, so that short waits do not flicker. */
export function Loading({ what = 'Loading' }: { what?: string }) {
  return (
    <p class="loading" role="status">
      {what} …
    </p>
  );
}

/** Something that is not there yet: that it is being loaded, or why that failed. */
export function Pending({ of: { value, error, reload } }: { of: Omit<Loaded<unknown>, 'loading'> }) {
  if (error !== undefined) return <ErrorNote error={error} retry={reload} />;
  return value === undefined ? <Loading /> : null;
}

/** There is nothing to show, and why. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

/** A list of facts: names and values. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Copies a text, and says so. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('Select and copy by hand');
    }
    setTimeout(() => setSaid(''), 2_000);
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      <span aria-live="polite">{said === '' ? label : said}</span>
    </button>
  );
}

/** A share of a whole as a bar, with the words beside it. */
export function Bar({ share, tone = 'plain', label }: { share: number; tone?: string; label: string }) {
  const width = Number.isFinite(share) ? Math.max(0, Math.min(1, share)) * 100 : 0;
  return (
    <svg class="bar" data-tone={tone} viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="bar-all" width="100" height="6" rx="1" />
      <rect class="bar-part" width={width} height="6" rx="1" />
    </svg>
  );
}

/** Parts of a total in one bar: counts by tone. What is left of the total is the empty track. */
export function Parts({
  of,
  total,
  label,
}: {
  of: readonly (readonly [tone: string, count: number])[];
  total: number;
  label: string;
}) {
  let x = 0;
  return (
    <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="bar-all" width="100" height="6" />
      {total > 0 &&
        of.map(([tone, count]) => {
          const width = (count / total) * 100;
          x += width;
          return <rect key={tone} class="bar-part" data-tone={tone} x={x - width} width={width} height="6" />;
        })}
    </svg>
  );
}

/** A question before something that cannot be undone. */
export function Confirm({
  label,
  question,
  confirm,
  act,
}: {
  label: string;
  question: ComponentChildren;
  confirm: string;
  act: () => Promise<void>;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  return (
    <>
      <button type="button" class="danger" onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={heading}>
        <h2 id={heading}>{label}</h2>
        <div>{question}</div>
        <div class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              dialog.current?.close();
              void act();
            }}
          >
            {confirm}
          </button>
        </div>
      </dialog>
    </>
  );
}
