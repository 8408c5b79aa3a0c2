import { useRef } from 'preact/hooks';

import { TextField } from '../../ui/fields.tsx';

/** The filters of rules by date, with their words. */
const dateFilters = [
  ['created_after', 'Created from'],
  ['created_before', 'Created until'],
  ['updated_after', 'Changed from'],
  ['updated_before', 'Changed until'],
] as const;
type DateFilter = (typeof dateFilters)[number][0];

/** Days of the reader's zone, as `2026-12-24`; empty: any. */
export type Days = Readonly<Record<DateFilter, string>>;

/** The days that an address has. */
export function readDays(query: URLSearchParams): Days {
  const read = (name: DateFilter) => (/^\d{4}-\d\d-\d\d$/.exec(query.get(name) ?? '') ?? [''])[0];
  return Object.fromEntries(dateFilters.map(([name]) => [name, read(name)])) as Days;
}

/** The days as the moments that the service compares with: a last day counts until its end. */
export function toMoments(days: Days): Days {
  return Object.fromEntries(
    Object.entries(days).map(([name, day]) => [name, day === '' ? '' : momentOf(day, name.endsWith('_before'))]),
  ) as Days;
}

function momentOf(day: string, isLast: boolean): string {
  const begin = new Date(`${day}T00:00:00`);
  if (isLast) begin.setDate(begin.getDate() + 1);
  return Number.isNaN(begin.getTime()) ? '' : begin.toISOString().slice(0, 19);
}

/** Fields for the days; open once one of them is set. */
export function DateFilters({ of: days, onChange }: { of: Days; onChange: (change: Partial<Days>) => void }) {
  // It does not close while the only day is being edited.
  const isOpen = useRef(false);
  isOpen.current ||= Object.values(days).some((day) => day !== '');
  return (
    <details open={isOpen.current}>
      <summary>By date</summary>
      <div class="form-row">
        {dateFilters.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            type="date"
            value={days[name]}
            onChange={(day) => onChange({ [name]: day })}
          />
        ))}
      </div>
    </details>
  );
}
