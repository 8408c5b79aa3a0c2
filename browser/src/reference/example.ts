import type { Parameter, Schema } from './document.ts';

/** Values of members and parameters that have the same meaning everywhere. */
const samples: Readonly<Record<string, unknown>> = {
  scope: 'beam26',
  name: 'raw.0001',
  rse: 'SITE_DISK',
  dst_rse: 'SITE_BACKUP',
  src_rse: '*',
  rse_expression: 'tier=1&rse_type=DISK',
  expression: 'tier=1',
  account: 'root',
  bytes: 1_048_576,
  adler32: '0cc737eb',
  md5: 'd41d8cd98f00b204e9800998ecf8427e',
  guid: '0bf5b2f0f3b24a0e8b1d9a7f6c5e4d3c',
  pfn: 'davs://dav.example.org:443/rucio/beam26/28/8e/raw.0001',
  lfn: 'beam26:raw.0001',
  email: 'jdoe@example.org',
  hostname: 'dav.example.org',
  scheme: 'davs',
  port: 443,
  prefix: '/rucio',
  impl: 'rucio.rse.protocols.webdav.Default',
  copies: 1,
  lifetime: 2_592_000,
  priority: 3,
  city: 'Geneva',
  comment: 'For the calibration group',
  reason: 'The checksum differs',
  holder: 'mover-1',
  request_states: 'QUEUED',
  limit: 10,
  key: 'campaign',
  identity: 'jdoe',
};

const maxDepth = 6;

/** An example of a body: its required members and those whose names say what they hold. */
export function exampleOf(schema: Schema, name = '', depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  const branch = (schema.anyOf ?? schema.allOf ?? []).find(({ type }) => type !== 'null');
  if (branch !== undefined) return exampleOf({ ...branch, description: '' }, name, depth);
  if (schema.enum !== undefined) return schema.enum[0];
  const type = typeof schema.type === 'object' ? schema.type.find((one) => one !== 'null') : schema.type;
  if (type === 'array') {
    const items = schema.prefixItems ?? [schema.items ?? {}];
    return depth > maxDepth ? [] : items.map((item) => exampleOf(item, singular(name), depth + 1));
  }
  if (type === 'object' || schema.properties !== undefined) return exampleObject(schema, depth);
  const sample = samples[name];
  if (sample !== undefined && fits(sample, type)) return sample;
  return sampleOf(type, name, schema);
}

/** Members that stand in an example although they may be left out. */
const isTelling = (name: string) => ['bytes', 'adler32', 'rse', 'comment'].includes(name);

function exampleObject({ properties = {}, required = [], additionalProperties }: Schema, depth: number): object {
  if (depth > maxDepth) return {};
  const all = Object.entries(properties);
  const chosen = all.filter(([name]) => required.includes(name) || isTelling(name));
  // If nothing is required, the first members show the form.
  const shown = chosen.length > 0 ? chosen : all.slice(0, 3);
  if (shown.length === 0 && additionalProperties !== undefined && additionalProperties !== false) {
    return { campaign: 'beam26-spring' };
  }
  return Object.fromEntries(shown.map(([name, member]) => [name, exampleOf(member, name, depth + 1)]));
}

function sampleOf(type: string | undefined, name: string, { minimum }: Schema): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? Math.max(minimum, 1) : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return name === '' ? 'text' : name;
  }
}

function fits(sample: unknown, type: string | undefined): boolean {
  if (type === undefined) return true;
  return type === 'string'
    ? typeof sample === 'string'
    : ['integer', 'number'].includes(type) && Number.isFinite(sample);
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

/** What a field of the form begins with: a value for what is required, otherwise nothing. */
export function initialValue({ name, required, schema = {} }: Parameter): string {
  if (required !== true) return '';
  return String(exampleOf(schema, name));
}
