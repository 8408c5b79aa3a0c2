/** What the users of a soak believe that the catalogue has. */
import { Adler32 } from '../../lib/movers/adler32.ts';

/** A file of a dataset. */
export interface SoakFile {
  readonly name: string;
  readonly bytes: number;
  readonly adler32: string;
}

/** A dataset, its files and the rules that keep them; a rule by its id, with the RSE that it names. */
export interface Dataset {
  readonly scope: string;
  readonly name: string;
  readonly files: SoakFile[];
  readonly rules: Map<string, string>;
  /** RSEs on which a rule was ended. */
  readonly thinned: Set<string>;
  /** A user is at it: nobody else changes it. */
  busy: boolean;
  /** It was told to end: it is gone within minutes. */
  ended: boolean;
}

/** The RSEs for uploads, each a folder. */
export const uploadRses = ['DISK_A', 'DISK_B'] as const;
/** The RSE on which users have little quota. */
export const smallRse = 'DISK_C';
/** All RSEs. */
export const rses = [...uploadRses, smallRse] as const;
/** The quota of a user on the small RSE: some ten datasets. */
export const quotaBytes = 1_000_000;

const least = 200;
const most = 20_000;

/** The content of a file follows from its name, so that everybody can tell whether it is right. */
export function contentOf(name: string): Buffer {
  let seed = 1;
  for (const character of name) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  const text = `${name} ${seed} `;
  return Buffer.from(text.repeat(Math.ceil((least + (seed % most)) / text.length)));
}

/** A file with its checksum. */
export function describeFile(name: string): SoakFile {
  const content = contentOf(name);
  const sum = new Adler32();
  sum.update(content);
  return { name, bytes: content.length, adler32: sum.digest() };
}

/** All datasets of a soak. */
export class Model {
  readonly datasets: Dataset[] = [];
  /** Rules that a quota refused. */
  refused = 0;

  /** Datasets that have not ended. */
  get living(): Dataset[] {
    return this.datasets.filter(({ ended }) => !ended);
  }

  /** Bytes that the rules of a user keep on an RSE. */
  usageOf(scope: string, rse: string): number {
    let bytes = 0;
    for (const dataset of this.living) {
      if (dataset.scope !== scope || ![...dataset.rules.values()].includes(rse)) continue;
      for (const file of dataset.files) bytes += file.bytes;
    }
    return bytes;
  }

  /** A dataset that has not ended, by chance, at which nobody is; it is to be released. */
  take(fits: (dataset: Dataset) => boolean = () => true): Dataset | undefined {
    const free = this.datasets.filter((dataset) => !dataset.ended && !dataset.busy && fits(dataset));
    const dataset = free[Math.floor(Math.random() * free.length)];
    if (dataset !== undefined) dataset.busy = true;
    return dataset;
  }
}
