import type { Parameter, Schema } from './document.ts';

const id = '3a09541050044d5793e1b21c56494bb5';

/** Values of members and parameters that have the same meaning everywhere: those of the example data of the page. */
const samples: Readonly<Record<string, unknown>> = {
  scope: 'example',
  name: 'data.358031.RAW',
  type: 'DATASET',
  did_type: 'DATASET',
  grouping: 'DATASET',
  state: 'OK',
  rse: 'CERN_DISK',
  dst_rse: 'LYON_DISK',
  src_rse: '*',
  dest_rse: 'LYON_DISK',
  source_rse: 'CERN_DISK',
  rse_expression: 'tier=1&rse_type=DISK',
  expression: 'tier=1',
  rse_type: 'DISK',
  account: 'root',
  account_type: 'USER',
  activity: 'User Subscriptions',
  bytes: 1_048_576,
  length: 12,
  copies: 1,
  locks_ok_cnt: 12,
  adler32: '0cc737eb',
  md5: 'd41d8cd98f00b204e9800998ecf8427e',
  guid: '0bf5b2f0f3b24a0e8b1d9a7f6c5e4d3c',
  pfn: 'davs://cern.disk.example.org:443/rucio/example/28/8e/data.358031.RAW',
  lfn: 'example:data.358031.RAW',
  email: 'jdoe@example.org',
  hostname: 'cern.disk.example.org',
  scheme: 'davs',
  port: 443,
  prefix: '/rucio',
  impl: 'rucio.rse.protocols.webdav.Default',
  lifetime: 2_592_000,
  priority: 3,
  city: 'Geneva',
  country_name: 'Switzerland',
  comment: 'For the calibration group',
  comments: 'For the calibration group',
  reason: 'The checksum differs',
  holder: 'mover-1',
  request_states: 'QUEUED',
  limit: 10,
  key: 'campaign',
  identity: 'jdoe',
  run_number: 358_031,
  campaign: 'beam26-spring',
  datatype: 'RAW',
  project: 'beam26',
};

/** Values by the end of the name. */
const endings: readonly (readonly [name: RegExp, value: unknown])[] = [
  [/(^|_)id$/, id],
  [/_at$/, 'Sat, 21 Nov 2026 12:21:38 UTC'],
  [/_cnt$/, 0],
  [/^(availability_\w+|is_open|open|deterministic)$/, true],
];

/** A value that the name of a member suggests, if the schema takes it; otherwise undefined. */
function findSample(name: string, schema: Schema): unknown {
  const sample = samples[name] ?? endings.find(([ending]) => ending.test(name))?.[1];
  const type = typeof schema.type === 'object' ? schema.type.find((one) => one !== 'null') : schema.type;
  if (sample === undefined || !fits(sample, type)) return undefined;
  return schema.enum === undefined || schema.enum.includes(sample) ? sample : undefined;
}

const maxDepth = 6;

/** An example of a body: its required members and those whose names say what they hold. */
export function exampleOf(schema: Schema, name = '', depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  const branches = schema.anyOf ?? schema.allOf ?? [];
  const branch = branches.find(({ type }) => type !== 'null');
  // A nullable value is null in an example, unless its name tells a value.
  if (mayBeNull(schema) && isSimple(branch ?? schema)) {
    return name in samples ? (findSample(name, branch ?? schema) ?? null) : null;
  }
  if (branch !== undefined) return exampleOf({ ...branch, description: '' }, name, depth);
  const type = typeof schema.type === 'object' ? schema.type.find((one) => one !== 'null') : schema.type;
  if (type === 'array') {
    const items = schema.prefixItems ?? [schema.items ?? {}];
    return depth > maxDepth ? [] : items.map((item) => exampleOf(item, singular(name), depth + 1));
  }
  if (type === 'object' || schema.properties !== undefined) return exampleObject(schema, depth);
  return findSample(name, schema) ?? schema.enum?.[0] ?? sampleOf(type, name, schema);
}

const mayBeNull = ({ type, anyOf = [] }: Schema) =>
  (typeof type === 'object' && type.includes('null')) || anyOf.some((branch) => branch.type === 'null');
const isSimple = ({ properties, items, anyOf }: Schema) => [properties, items, anyOf].every((one) => one === undefined);

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
      return false;
    case 'null':
      return null;
    default:
      return name === '' ? 'text' : name;
  }
}

function fits(sample: unknown, type: string | undefined): boolean {
  if (type === undefined) return true;
  return ['integer', 'number'].includes(type) ? Number.isFinite(sample) : typeof sample === type;
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

/** First value of a field of the form: an example if it is required, otherwise nothing. */
export function initialValue({ name, required, schema = {} }: Parameter): string {
  if (required !== true) return '';
  return String(exampleOf(schema, name));
}
