import { type StepOptions, as, rse, use } from '../steps.ts';
import type { JsonValue, Scenario, Step } from '../types.ts';

const root = as('root');

/** Set-up steps: an RSE of this scenario with attributes. */
const member = (name: string, columns: JsonValue, attributes: Readonly<Record<string, JsonValue>>): Step[] => [
  rse(name, columns),
  ...Object.entries({ fleet: 'rx', ...attributes }).map(([key, value]) =>
    root.post(`set up attribute ${key} of ${name}`, `/rses/${name}/attr/${key}`, { value }),
  ),
];

const list = (name: string, expression: string, options?: StepOptions): Step =>
  root.get(name, `/rses/?expression=${encodeURIComponent(expression)}`, options);

/** Other scenarios have RSEs of their own. */
const within = (expression: string, options?: StepOptions): Step =>
  list(`of the fleet: ${expression}`, `(${expression})&fleet=rx`, options);

/** Dapple says where the error is, after Rucio's words. */
const refused = (expression: string): Step => list(`refused: ${expression}`, expression, { compare: 'class' });

const EMPTY = use(400, 'InvalidRSEExpression', 'rses 9.4');
const EVALUATED = use(200, null, 'rses 9.4');

/** RSE expressions over the fleet of the wire reference (spec/rses.md 5.5), and what lies beside its vectors. */
export const rseExpressions: Scenario = {
  name: 'rse-expressions',
  about: 'RSE expressions: grammar, primitives, columns, numbers, errors',
  steps: [
    ...member(
      'RX-ALPHA_DISK',
      { country_name: 'Norway', latitude: 60, longitude: -5 },
      { tier: '1', country: 'NO', freespace: '120', type: 'DATADISK', fast: true, nothing: null, exact: ' +7.0 ' },
    ),
    ...member(
      'RX-ALPHA_TAPE',
      { rse_type: 'TAPE', deterministic: false, availability: 5 },
      { tier: '1', country: 'NO', freespace: '9000', type: 'DATATAPE' },
    ),
    ...member(
      'RX-BETA_DISK',
      { city: 'Lyon' },
      { tier: '2', country: 'FR', freespace: '45.5', type: 'DATADISK', fast: false },
    ),
    ...member(
      'RX-BETA_SCRATCH',
      { volatile: true, availability: 4 },
      { tier: '2', country: 'FR', freespace: 'n/a', type: 'SCRATCHDISK', fast: true },
    ),
    ...member('RX-GAMMA-CACHE', { volatile: true }, { tier: '3', country: 'DE', 'owner.group': 'phys' }),
    ...member('RX-DELTA', { staging_area: true, availability: 0 }, { tier: '3', country: 'DE', freespace: '0' }),

    list('one name', 'RX-ALPHA_DISK'),
    list('names', 'RX-ALPHA_DISK|RX-NOPE|RX-DELTA'),
    list('a union one part of which is unknown', 'RX-NOPE|RX-DELTA'),
    list('a name in lower case', 'rx-alpha_disk'),
    list('an unknown name', 'RX-NOPE'),
    list('nothing left', 'fleet=rx&tier=1&tier=2'),
    list('everything but everything', '*\\*'),
    within('*'),
    within('fast'),
    within('fast=TRUE'),
    within('fast=1'),
    within('rse_type=TAPE'),
    within('deterministic'),
    within('volatile=true'),
    within('volatile=0'),
    within('city=Lyon'),
    within('country_name=Norway'),
    within('country=fr'),
    within('tier=1|tier=2&country=FR'),
    within('tier=1|(tier=2&type=SCRATCHDISK)'),
    within('tier=1\\RX-ALPHA_TAPE|RX-DELTA'),
    within('tier=1\\(RX-ALPHA_TAPE|RX-DELTA)'),
    within('*\\(tier=1|tier=2)'),
    within('((RX-ALPHA_DISK)|(RX-BETA_DISK))&tier=1'),
    within('*\\fast&tier=2'),
    within('country=NO&type=DATADISK|country=DE\\RX-DELTA'),
    within('(((tier=3)))&*'),
    within('tier<2|tier>2'),
    within('freespace>100'),
    within('freespace<100'),
    within('freespace<inf'),
    within('freespace<1e3'),
    within('freespace<1_000'),
    within('freespace<abc'),
    within('freespace>nan'),
    within('freespace>-Infinity'),
    within('fast>0'),
    within('fast<1'),
    within('tier>-1'),
    within('tier>--1'),
    within('nosuch<5'),
    within('exact>6'),
    within('owner.group=phys'),
    within('staging_area'),
    within('availability_write'),
    within('volatile<5'),
    within('-._=-'),
    within('nothing'),
    within('nothing=null'),
    within('nothing<5', EMPTY),
    within('availability=5', EVALUATED),
    within('availability'),
    within('latitude=60', EVALUATED),
    within('city', EMPTY),
    within('rse_type', EMPTY),
    within('created_at', EMPTY),
    within('deleted'),
    within('usage=1', EMPTY),

    list('a type that is none', 'rse_type=tape'),
    list('a boolean that is none', 'volatile=maybe'),
    list('a bad value beside what matches nothing', 'RX-NOPE&(RX-DELTA|rse_type=x)'),
    list('a bad value comes after a bad grammar', 'rse_type=tape||', { compare: 'class' }),
    ...['RX-DELTA|', '&RX-DELTA', 'RX-ALPHA_DISK | RX-DELTA', 'RX-DELTA||RX-DELTA', '(RX-DELTA)(RX-DELTA)'].map(
      refused,
    ),
    ...['()', 'RX-*', 'tier<=1', 'tier=', 'freespace>45.5', 'owner.group', 'RX-', 'A__B', '!tier=1', 'é', ' '].map(
      refused,
    ),
    ...['(RX-DELTA', ')RX-DELTA(', 'RX-DELTA)', '||)', 'rse_type=tape|('].map(refused),
  ],
};
