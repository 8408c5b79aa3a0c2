import { bytesOf } from '../model/model.ts';

/** A value of metadata. */
export type Value = string | number;

/** A change of the catalogue. Names tell types: `ds` datasets, `ct` containers, all else files. */
export type Change =
  | { readonly do: 'create'; readonly names: readonly string[] }
  /** With `register`, missing files are created. */
  | { readonly do: 'attach'; readonly name: string; readonly children: readonly string[]; readonly register: boolean }
  /** Ignores children that are attached already. */
  | { readonly do: 'fill'; readonly name: string; readonly children: readonly string[] }
  | { readonly do: 'detach'; readonly name: string; readonly children: readonly string[] }
  | { readonly do: 'open'; readonly name: string; readonly open: boolean }
  | { readonly do: 'set'; readonly names: readonly string[]; readonly key: string; readonly value: Value }
  | { readonly do: 'unset'; readonly name: string; readonly key: string }
  /** Very many keys of one DID, in parts, and one key of others; the service may refuse that many. */
  | { readonly do: 'flood'; readonly names: readonly string[]; readonly value: number }
  /** Reads a DID and its `ETag`, which the model knows by a number. */
  | { readonly do: 'tag'; readonly name: string; readonly tag: number }
  /** Another change, with `If-Match`. */
  | { readonly do: 'match'; readonly tag: number; readonly etag: string; readonly change: DidChange }
  | Observation;

/** A change that names one DID and its children. */
export type DidChange = Extract<Change, { readonly do: 'attach' | 'detach' | 'open' | 'unset' }>;

/** State of a DID as a client has read it. */
export type Observation =
  | { readonly do: 'look'; readonly name: string }
  /** Whether a collection has a child; the client has asked one of both. */
  | { readonly do: 'see content'; readonly parent: string; readonly child: string; readonly asked: string }
  | { readonly do: 'see value'; readonly name: string; readonly key: string }
  /** Whether a search by a value finds a DID. */
  | { readonly do: 'see match'; readonly name: string; readonly key: string; readonly value: Value };

const observations: ReadonlySet<Change['do']> = new Set(['look', 'see content', 'see value', 'see match']);

/** Whether it changes nothing. */
export const isObservation = (change: Change): change is Observation => observations.has(change.do);

/** Whether it changes nothing of the catalogue. */
export const isReading = (change: Change) => isObservation(change) || change.do === 'tag';

/** A DID; immutable. */
export interface ModelDid {
  readonly open: boolean;
  readonly meta: Readonly<Record<string, Value>>;
  /** In the order of their names. */
  readonly children: readonly string[];
  /** Two DIDs are equal if and only if their texts are. */
  readonly text: string;
}

export type Kind = 'FILE' | 'DATASET' | 'CONTAINER';

/** The type of the DID with this name. */
export function kindOf(name: string): Kind {
  return name.startsWith('ds') ? 'DATASET' : name.startsWith('ct') ? 'CONTAINER' : 'FILE';
}

/** The possible outcomes of a change: refused with one of some error classes, or carried out. */
export type Possible =
  | { readonly refusals: ReadonlySet<string> }
  | {
      readonly next: Catalogue;
      readonly answer?: string;
      /** It may be refused as well, with one of these classes. */
      readonly refusals?: ReadonlySet<string>;
    };

/** Makes a DID. */
export function makeDid(open: boolean, meta: Readonly<Record<string, Value>>, children: readonly string[]): ModelDid {
  const entries = Object.entries(meta).sort(([a], [b]) => (a < b ? -1 : 1));
  const sorted = children.toSorted();
  return { open, meta, children: sorted, text: JSON.stringify([open, entries, sorted]) };
}

const refused = (...classes: string[]): Possible => ({ refusals: new Set(classes) });

/** A catalogue of one scope, as the wire reference describes it; immutable. */
export class Catalogue {
  readonly dids: ReadonlyMap<string, ModelDid>;
  /** The texts of DIDs at the time at which a client has read their tags. */
  readonly #tags: ReadonlyMap<number, string>;
  #text: string | undefined;

  constructor(dids: ReadonlyMap<string, ModelDid> = new Map(), tags: ReadonlyMap<number, string> = new Map()) {
    this.dids = dids;
    this.#tags = tags;
  }

  /** The same catalogue after a tag was used. */
  forgetTag(tag: number): Catalogue {
    return new Catalogue(this.dids, new Map([...this.#tags].filter(([other]) => other !== tag)));
  }

  /** Two catalogues go on in the same way if and only if their states are the same. */
  get state(): string {
    return [this.text, ...[...this.#tags].map((entry) => entry.join(' ')).toSorted()].join('\n');
  }

  /** Two catalogues are equal if and only if their texts are. */
  get text(): string {
    return (this.#text ??= Array.from(this.dids, ([name, { text }]) => `${name} ${text}`)
      .sort()
      .join('\n'));
  }

  /** Judges a change. Where there are several reasons to refuse it, any of them may be answered. */
  judge(change: Change): Possible {
    switch (change.do) {
      case 'create':
        return this.#create(change.names);
      case 'attach':
        return this.#attach(change);
      case 'fill':
        return this.#fill(change.name, change.children);
      case 'detach':
        return this.#detach(change.name, change.children);
      case 'open':
        return this.#open(change.name, change.open);
      case 'set':
        return this.#set(change.names, change.key, change.value);
      case 'unset':
        return this.#unset(change.name, change.key);
      case 'flood':
        // More keys for one DID than a request may set.
        return refused('InvalidMetadata', 'DataIdentifierNotFound');
      case 'tag':
        return this.#tag(change.name, change.tag);
      case 'match':
        return this.#match(change.tag, change.change);
      case 'look':
        return this.#look(change.name);
      case 'see content':
        if (!this.dids.has(change.asked)) return refused('DataIdentifierNotFound');
        return this.#show(this.dids.get(change.parent)?.children.includes(change.child) === true);
      case 'see value':
        return this.#show(this.dids.get(change.name)?.meta[change.key]);
      case 'see match':
        return this.#show(this.dids.get(change.name)?.meta[change.key] === change.value);
    }
  }

  #show(value: Value | boolean | undefined): Possible {
    return { next: this, answer: String(value) };
  }

  #create(names: readonly string[]): Possible {
    if (names.some((name) => this.dids.has(name))) return refused('DataIdentifierAlreadyExists');
    const dids = new Map(this.dids);
    for (const name of names) dids.set(name, makeDid(true, {}, []));
    return { next: this.#now(dids) };
  }

  #attach({ name, children, register }: Extract<Change, { do: 'attach' }>): Possible {
    const parent = this.dids.get(name);
    if (parent === undefined) return refused('DataIdentifierNotFound');
    const refusals = new Set<string>();
    if (!parent.open) refusals.add('UnsupportedOperation');
    const kind = kindOf(name);
    for (const child of children) {
      if (!this.dids.has(child) && !register) refusals.add('DataIdentifierNotFound');
      if (kind === 'DATASET' ? kindOf(child) !== 'FILE' : kindOf(child) === 'FILE')
        refusals.add('UnsupportedOperation');
      if (kindOf(child) !== kindOf(children[0] ?? '')) refusals.add('UnsupportedOperation');
      if (child === name || this.#isAbove(child, name)) refusals.add('UnsupportedOperation');
      if (parent.children.includes(child)) refusals.add(kind === 'DATASET' ? 'FileAlreadyExists' : 'DuplicateContent');
    }
    if (refusals.size > 0) return { refusals };
    return { next: this.#join(name, children) };
  }

  #fill(name: string, children: readonly string[]): Possible {
    const parent = this.dids.get(name);
    if (parent === undefined) return refused('DataIdentifierNotFound');
    if (!parent.open) return refused('UnsupportedOperation');
    return { next: this.#join(name, children) };
  }

  #join(name: string, children: readonly string[]): Catalogue {
    const dids = new Map(this.dids);
    for (const child of children) if (!dids.has(child)) dids.set(child, makeDid(false, {}, []));
    const parent = dids.get(name) as ModelDid;
    dids.set(name, makeDid(parent.open, parent.meta, [...new Set([...parent.children, ...children])]));
    return this.#now(dids);
  }

  #detach(name: string, children: readonly string[]): Possible {
    const parent = this.dids.get(name);
    if (parent === undefined) return refused('DataIdentifierNotFound');
    const refusals = new Set<string>();
    for (const child of children) {
      if (child === name) refusals.add('UnsupportedOperation');
      if (!parent.children.includes(child)) refusals.add('DataIdentifierNotFound');
    }
    if (refusals.size > 0) return { refusals };
    const rest = parent.children.filter((child) => !children.includes(child));
    return { next: this.#with([name], (did) => makeDid(did.open, did.meta, rest)) };
  }

  #open(name: string, open: boolean): Possible {
    const did = this.dids.get(name);
    if (did === undefined) return refused('DataIdentifierNotFound');
    if (kindOf(name) === 'FILE' || did.open === open) return refused('UnsupportedOperation');
    return { next: this.#with([name], ({ meta, children }) => makeDid(open, meta, children)) };
  }

  #set(names: readonly string[], key: string, value: Value): Possible {
    if (names.some((name) => !this.dids.has(name))) return refused('DataIdentifierNotFound');
    return { next: this.#with(names, (did) => withMeta(did, key, value)) };
  }

  #unset(name: string, key: string): Possible {
    const did = this.dids.get(name);
    if (did === undefined) return refused('DataIdentifierNotFound');
    if (did.meta[key] === undefined) return refused('KeyNotFound', 'DataIdentifierNotFound');
    const { [key]: _gone, ...meta } = did.meta;
    return { next: this.#with([name], ({ open, children }) => makeDid(open, meta, children)) };
  }

  #look(name: string): Possible {
    const did = this.dids.get(name);
    if (did === undefined) return refused('DataIdentifierNotFound');
    return { next: this, answer: describeDid(name, did) };
  }

  #with(names: readonly string[], change: (did: ModelDid) => ModelDid): Catalogue {
    const dids = new Map(this.dids);
    for (const name of names) dids.set(name, change(dids.get(name) as ModelDid));
    return this.#now(dids);
  }

  #now(dids: ReadonlyMap<string, ModelDid>): Catalogue {
    return new Catalogue(dids, this.#tags);
  }

  #tag(name: string, tag: number): Possible {
    const did = this.dids.get(name);
    if (did === undefined) return refused('DataIdentifierNotFound');
    const next = new Catalogue(this.dids, new Map([...this.#tags, [tag, `${name} ${did.text}`]]));
    return { next, answer: describeDid(name, did) };
  }

  /** A tag may change while the DID stays as it is. One that was read before the model began to follow is not known. */
  #match(tag: number, change: DidChange): Possible {
    const { name } = change;
    const [read, is] = [this.#tags.get(tag), `${name} ${this.dids.get(name)?.text}`];
    const possible = this.judge(change);
    const refusals = new Set(['PreconditionFailed', ...(possible.refusals ?? [])]);
    return 'next' in possible && (read === undefined || read === is) ? { ...possible, refusals } : { refusals };
  }

  #isAbove(upper: string, lower: string): boolean {
    const children = this.dids.get(upper)?.children ?? [];
    return children.some((child) => child === lower || this.#isAbove(child, lower));
  }
}

/** The expected answer to `GET /dids/{scope}/{name}`. */
export function describeDid(name: string, { open, children }: ModelDid): string {
  const kind = kindOf(name);
  if (kind !== 'DATASET') return JSON.stringify([kind, kind === 'FILE' ? null : open]);
  return JSON.stringify([kind, open, children.length, children.reduce((sum, child) => sum + bytesOf(child), 0)]);
}

function withMeta({ open, meta, children }: ModelDid, key: string, value: Value): ModelDid {
  return makeDid(open, { ...meta, [key]: value }, children);
}
