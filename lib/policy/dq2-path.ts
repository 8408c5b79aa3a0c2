import type { CopiedFile } from './policy.ts';

/**
 * Rucio's path of a copy on a non-deterministic RSE, the convention `def`: folders by the fields of the dataset's name, without
 * what PanDA appends to datasets.
 */
export function dq2Path({ dataset, name }: CopiedFile): string {
  const fields = dataset.split('.');
  const last = fields.at(-1) ?? '';
  const stripped = [...fields.slice(0, -1), cutAt(last, ['_dis', '_sub', '_frag'])].join('.');
  const [project = '', second = '', third = '', , type = ''] = fields;
  if (fields.length === 1) return `/other/${stripped}/${name}`;
  if (fields.length === 2) return `/${project}/${stripped}/${name}`;
  if (fields.length < 5 || /^(?:user*|group*)/.test(project))
    return `/${project}/${second}/${third}/${stripped}/${name}`;
  const tag = fields.length === 5 ? 'other' : cutAt(last, ['_dis', '_sub', '_tid']);
  return `/${project}/${type}/${tag}/${stripped}/${name}`;
}

/** A text up to the first of each mark, one after the other. */
function cutAt(text: string, marks: readonly string[]): string {
  return marks.reduce((rest, mark) => rest.split(mark)[0] ?? '', text);
}
