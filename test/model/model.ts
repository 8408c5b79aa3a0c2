/** The outcome of a request: the names of a list, or the class of an error. */
export type Outcome = 'done' | { readonly error: string } | readonly string[];

type Kind = 'FILE' | 'DATASET' | 'CONTAINER';

interface ModelDid {
  readonly kind: Kind;
  open: boolean;
  readonly bytes: number;
  readonly meta: Map<string, string | number>;
  /** In the order of attachment. */
  readonly children: Set<string>;
}

/** The conditions of a search: a prefix of the name, values of metadata keys. */
export interface Conditions {
  readonly type: 'all' | 'collection' | 'dataset' | 'container' | 'file';
  readonly prefix?: string;
  readonly meta: readonly (readonly [key: string, value: string | number])[];
}

const kindsOf: Readonly<Record<Conditions['type'], readonly Kind[]>> = {
  all: ['FILE', 'DATASET', 'CONTAINER'],
  collection: ['DATASET', 'CONTAINER'],
  dataset: ['DATASET'],
  container: ['CONTAINER'],
  file: ['FILE'],
};

/** Bytes of a file, by its name. */
export function bytesOf(file: string): number {
  return 1_000 + Number(/\d+/.exec(file)?.[0] ?? 0);
}

const refused = (error: string): Outcome => ({ error });
const missing = refused('DataIdentifierNotFound');
const unsupported = refused('UnsupportedOperation');

/** A simple model, in memory, of one scope as the wire reference describes it. */
export class Model {
  readonly dids = new Map<string, ModelDid>();

  create(name: string, kind: 'DATASET' | 'CONTAINER'): Outcome {
    if (this.dids.has(name)) return refused('DataIdentifierAlreadyExists');
    this.#make(name, kind);
    return 'done';
  }

  /** @param register The children are files; missing ones are registered first. */
  attach(name: string, children: readonly string[], register: boolean): Outcome {
    const parent = this.dids.get(name);
    if (parent === undefined) return missing;
    if (!parent.open) return unsupported;
    const error =
      parent.kind === 'DATASET' ? this.#refuseFiles(children, register) : this.#refuseMembers(name, children);
    if (error !== undefined) return error;
    if (children.some((child) => parent.children.has(child))) {
      return refused(parent.kind === 'DATASET' ? 'FileAlreadyExists' : 'DuplicateContent');
    }
    for (const child of children) {
      if (!this.dids.has(child)) this.#make(child, 'FILE');
      parent.children.add(child);
    }
    return 'done';
  }

  detach(name: string, children: readonly string[]): Outcome {
    const parent = this.dids.get(name);
    if (parent === undefined || parent.kind === 'FILE' || parent.children.size === 0) return missing;
    for (const child of children) {
      if (child === name) return unsupported;
      if (!parent.children.has(child)) return missing;
    }
    for (const child of children) parent.children.delete(child);
    return 'done';
  }

  setOpen(name: string, open: boolean): Outcome {
    const did = this.dids.get(name);
    if (did === undefined) return missing;
    if (did.kind === 'FILE' || did.open === open) return unsupported;
    did.open = open;
    return 'done';
  }

  setMeta(name: string, key: string, value: string | number): Outcome {
    const did = this.dids.get(name);
    if (did === undefined) return missing;
    did.meta.set(key, value);
    return 'done';
  }

  search({ type, prefix = '', meta }: Conditions): Outcome {
    // Where free metadata is searched, `collection` means nothing: every client sends it (spec/dids.md 3.4).
    const kinds = kindsOf[type === 'collection' && meta.some(([key]) => key === 'flavour') ? 'all' : type];
    const fits = ([name, did]: [string, ModelDid]) =>
      kinds.includes(did.kind) && name.startsWith(prefix) && meta.every(([key, value]) => did.meta.get(key) === value);
    return [...this.dids].filter(fits).map(([name]) => name);
  }

  /** The direct content; undefined if there is no such DID. */
  content(name: string): readonly string[] | undefined {
    const did = this.dids.get(name);
    return did && [...did.children];
  }

  /** The files below a DID, once for each dataset that holds them. */
  files(name: string): readonly string[] {
    if (this.dids.get(name)?.kind === 'FILE') return [name];
    return [...this.#datasets(name)].flatMap((dataset) => this.content(dataset) ?? []);
  }

  parents(name: string): readonly string[] {
    return [...this.dids].filter(([, did]) => did.children.has(name)).map(([parent]) => parent);
  }

  /** Files and bytes of a collection; of a container the sum over its different datasets. */
  size(name: string): { readonly length: number; readonly bytes: number } {
    const files = [...this.#datasets(name)].flatMap((dataset) => this.content(dataset) ?? []);
    return { length: files.length, bytes: files.reduce((sum, file) => sum + bytesOf(file), 0) };
  }

  #make(name: string, kind: Kind): void {
    this.dids.set(name, { kind, open: kind !== 'FILE', bytes: bytesOf(name), meta: new Map(), children: new Set() });
  }

  #refuseFiles(children: readonly string[], register: boolean): Outcome | undefined {
    for (const child of children) {
      const did = this.dids.get(child);
      if (did === undefined && !register) return missing;
      if (did !== undefined && did.kind !== 'FILE') return unsupported;
    }
    return undefined;
  }

  #refuseMembers(name: string, children: readonly string[]): Outcome | undefined {
    let expected: Kind | undefined;
    for (const child of children) {
      if (child === name) return unsupported;
      const did = this.dids.get(child);
      if (did === undefined) return missing;
      expected ??= did.kind;
      if (did.kind === 'FILE' || did.kind !== expected) return unsupported;
    }
    return children.some((child) => this.#isAbove(child, name)) ? unsupported : undefined;
  }

  #isAbove(upper: string, lower: string): boolean {
    return this.parents(lower).some((parent) => parent === upper || this.#isAbove(upper, parent));
  }

  #datasets(name: string): Set<string> {
    const did = this.dids.get(name);
    if (did?.kind === 'DATASET') return new Set([name]);
    return new Set([...(did?.children ?? [])].flatMap((child) => Array.from(this.#datasets(child))));
  }
}
