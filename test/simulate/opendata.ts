/** Actions of clients with open data, on DIDs that may be deleted meanwhile, and checks at the end. */
import type { ClientRequest } from './client-request.ts';
import { expiringScope } from './expiring-dids.ts';
import { pool } from './names.ts';
import type { Random } from './random.ts';
import type { Values } from './records.ts';

/** An action on the entry of a DID in the catalogue of open data. */
export type OpendataAction = { readonly name: string } & (
  | { readonly kind: 'add' | 'remove' }
  | { readonly kind: 'change'; readonly change: OpendataChange }
);

interface OpendataChange {
  readonly state?: 'PUBLIC' | 'SUSPENDED';
  readonly doi?: string;
  readonly record_id?: number;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** DOIs and records, so few that entries compete for them. */
const [dois, records] = [
  ['10.1234/one', '10.1234/two'],
  [1, 2],
] as const;

/** Draws an action. */
export function drawOpendataAction(random: Random): OpendataAction {
  const { expiringDatasets, expiringContainers, expiringFiles } = pool;
  const name = random.pick([expiringDatasets, expiringContainers, expiringFiles].flatMap((names) => names.slice(0, 2)));
  const kind = random.weighed({ add: 5, remove: 1, change: 6 });
  if (kind !== 'change') return { kind, name };
  const changes: OpendataChange[] = [
    { state: 'PUBLIC' },
    { state: 'SUSPENDED' },
    { doi: random.pick(dois) },
    { record_id: random.pick(records), meta: { step: random.below(9) } },
  ];
  return { kind, name, change: random.pick(changes) };
}

/** The request that carries out an action. */
export function requestOfOpendata(action: OpendataAction): ClientRequest {
  const path = `/opendata/dids/${expiringScope}/${action.name}`;
  switch (action.kind) {
    case 'add':
      return { method: 'POST', path };
    case 'remove':
      return { method: 'DELETE', path };
    case 'change':
      return { method: 'PUT', path, body: action.change };
  }
}

/** Finds entries without their DID, and what belongs to an entry and does not agree with it, in all items of the table. */
export function flawsOfOpendata(items: readonly Values[]): string[] {
  const [wanted, found, dids] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const counted = new Map<string, number>();
  const add = (list: string, by: number) => counted.set(list, (counted.get(list) ?? 0) + by);
  const flaws: string[] = [];
  for (const item of items) {
    const [kind = '', ...place] = (item['PK']?.S ?? '').split('#');
    const key = item['SK']?.S ?? '';
    const did = place.join(':');
    if (kind === 'S') dids.add(`${place[0]}:${key}`);
    else if (kind === 'D' && key === 'OPENDATA') for (const part of partsOf(did, item)) wanted.add(part);
    else if (kind === 'D' && key === 'OPENDATAMETA') found.add(`${did} has metadata`);
    else if (kind === 'OPENDATADOI' || kind === 'OPENDATARECORD')
      found.add(`${item['scope']?.S}:${item['name']?.S} is ${place.join()}`);
    else if (kind === 'OPENDATA' && place.length === 0) add(key, Number(item['entries']?.N));
    else if (kind === 'OPENDATA') {
      const [at, ...name] = key.split('#');
      found.add(`${name.join(':')} is ${place[0]} since ${Number(at)}`);
      add(place.join('#'), -1);
    }
  }
  for (const [list, difference] of counted) if (difference !== 0) flaws.push(`${list} counts ${difference} too many`);
  const orphans = [...wanted].filter((part) => !dids.has(part.split(' ')[0] ?? ''));
  return [
    ...flaws,
    ...orphans.map((part) => `${part}, and is no DID`),
    ...[...wanted].filter((part) => !found.has(part)).map((part) => `${part} only by its entry`),
    ...[...found].filter((part) => !wanted.has(part)).map((part) => `${part}, but not by its entry`),
  ];
}

/** Items that the table must have for an entry. */
function partsOf(did: string, { state, updatedAt, doi, recordId, isDescribed }: Values): string[] {
  return [
    `${did} is ${textOf(state)} since ${textOf(updatedAt)}`,
    ...[doi, recordId].flatMap((id) => (id === undefined ? [] : [`${did} is ${textOf(id)}`])),
    ...(isDescribed === undefined ? [] : [`${did} has metadata`]),
  ];
}

/** A text, or a number as a text. */
const textOf = (value: Values[string] | undefined) => value?.S ?? (value?.['N'] as string | undefined);
