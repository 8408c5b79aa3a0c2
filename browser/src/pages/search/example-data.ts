import { ApiError, path, send } from '../../api/client.ts';
import type { BodyAt } from '../../api/contract.ts';
import { session } from '../../api/session.ts';

/** How far the example data are. */
export interface Progress {
  readonly what: string;
  readonly step: number;
  readonly steps: number;
}

type Step = readonly [what: string, run: () => Promise<unknown>];

/** The scope of the example data: not that of the tours in the documents, which then still work. */
export const exampleScope = 'example';
const scope = exampleScope;
const mebibyte = 1_048_576;

const sites = [
  ['CERN_DISK', { city: 'Geneva', country_name: 'Switzerland', rse_type: 'DISK' }, { tier: '0', country: 'CH' }, 40e12],
  ['LYON_DISK', { city: 'Lyon', country_name: 'France', rse_type: 'DISK' }, { tier: '1', country: 'FR' }, 20e12],
  ['LYON_TAPE', { city: 'Lyon', country_name: 'France', rse_type: 'TAPE' }, { tier: '1', country: 'FR' }, 200e12],
] as const;

const runs = [358031, 358032, 358033, 358034] as const;
const types = ['RAW', 'AOD'] as const;

/**
 * Fills an empty catalogue: scope, RSEs, datasets with files and metadata, containers and rules.
 *
 * A part that exists is left as it is, so a second try completes the first.
 *
 * @throws ApiError if the account may not.
 */
export async function makeExample(report: (progress: Progress) => void): Promise<void> {
  const account = session()?.account ?? 'root';
  const steps = [...makeSites(account), ...makeRuns(), ...makeRules(account)];
  for (const [index, [what, run]] of steps.entries()) {
    report({ what, step: index, steps: steps.length });
    await run().catch(ignoreExisting);
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 409)) throw error;
}

function makeSites(account: string): Step[] {
  return [
    ['Scope', () => send('POST', path('/scopes/:account/:scope', { account, scope }))],
    ...sites.map(([rse, settings, attributes, total]): Step => [
      `RSE ${rse}`,
      async () => {
        await send('POST', path('/rses/:rse', { rse }), { body: settings }).catch(ignoreExisting);
        for (const [key, value] of Object.entries(attributes)) {
          await send('POST', path('/rses/:rse/attr/:key', { rse, key }), { body: { value } });
        }
        await send('POST', path('/rses/:rse/protocols/:scheme', { rse, scheme: 'davs' }), {
          body: {
            hostname: `${rse.toLowerCase().replace('_', '.')}.example.org`,
            port: 443,
            prefix: '/rucio',
            impl: 'rucio.rse.protocols.webdav.Default',
            domains: { lan: { read: 1, write: 1, delete: 1 }, wan: { read: 1, write: 1, delete: 1 } },
          },
        });
        await send('PUT', path('/rses/:rse/usage', { rse }), {
          body: { source: 'storage', used: Math.round(total / 3), free: Math.round((2 * total) / 3) },
        });
        await send('POST', path('/accounts/:account/limits/local/:rse', { account, rse }), {
          body: { bytes: total / 4 },
        });
      },
    ]),
  ];
}

function makeRuns(): Step[] {
  const datasets = runs.flatMap((run) => types.map((type) => ({ run, type, name: `data.${run}.${type}` })));
  return [
    ...datasets.map(({ run, type, name }, i): Step => [
      `Dataset ${name}`,
      () =>
        send('POST', path('/dids/**:scope_name', { did: { scope, name } }), {
          body: {
            type: 'DATASET',
            rse: 'CERN_DISK',
            meta: { run_number: run, datatype: type, campaign: 'beam26-spring', project: 'beam26' },
            dids: Array.from({ length: 12 + 6 * (i % 4) }, (_unused, n) => ({
              scope,
              name: partName(name, n + 1),
              bytes: (type === 'RAW' ? 2_400 : 310) * mebibyte + n * 4_099,
              adler32: (run * 64 + n).toString(16).padStart(8, '0').slice(-8),
            })),
          },
        }),
    ]),
    ...types.map((type): Step => [
      `Container data.${type}`,
      () =>
        send('POST', path('/dids/**:scope_name', { did: { scope, name: `data.${type}` } }), {
          body: {
            type: 'CONTAINER',
            dids: datasets.filter((dataset) => dataset.type === type).map(({ name }) => ({ scope, name })),
          },
        }),
    ]),
    [
      'Container spring',
      () =>
        send('POST', path('/dids/**:scope_name', { did: { scope, name: 'spring' } }), {
          body: { type: 'CONTAINER', dids: types.map((type) => ({ scope, name: `data.${type}` })) },
        }),
    ],
  ];
}

function makeRules(account: string): Step[] {
  const rule = (name: string, expression: string, more: object = {}) =>
    send('POST', '/rules', {
      body: { dids: [{ scope, name }], account, copies: 1, rse_expression: expression, ...more },
    });
  return [
    ['Rule at CERN', () => rule('data.RAW', 'CERN_DISK', { comment: 'Raw data stay where they were taken' })],
    ['Rule at Lyon', () => rule('data.358031.AOD', 'LYON_DISK', { lifetime: 90 * 86_400 })],
    ['Rule on tape', () => rule('data.RAW', 'tier=1&rse_type=TAPE', { comment: 'The second copy of the raw data' })],
    ['Files that have arrived', () => reportCopies('data.358031.AOD', 1, 11, { state: 'A' })],
    ['A second rule at Lyon', () => rule('data.358034.AOD', 'LYON_DISK', { comment: 'For the calibration group' })],
    ['More files', () => reportCopies('data.358034.AOD', 1, 26, { state: 'A' })],
    ['Copies that failed', () => reportCopies('data.358034.AOD', 29, 30, failure)],
    ['Files that are lost', loseFiles],
  ];
}

const failure = { state: 'U', error_message: 'SOURCE CHECKSUM MISMATCH: the file at CERN_DISK is damaged' } as const;

/** Reports copies of files to Lyon, as a transfer service does. */
function reportCopies(
  dataset: string,
  first: number,
  last: number,
  outcome: Omit<BodyAt<'PUT', '/replicas'>['files'][number], 'scope' | 'name'>,
): Promise<unknown> {
  const files = Array.from({ length: last - first + 1 }, (_unused, i) => ({
    scope,
    name: partName(dataset, first + i),
    ...outcome,
  }));
  return send('PUT', '/replicas', { body: { rse: 'LYON_DISK', files } });
}

/** The only replicas of two files are declared bad: nothing is left to copy from. */
function loseFiles(): Promise<unknown> {
  const dids = [29, 30].map((number) => ({ scope, name: partName('data.358034.AOD', number) }));
  return send('POST', '/replicas/bad/dids', { body: { dids, rse: 'CERN_DISK', reason: 'Checksum differs' } });
}

function partName(dataset: string, number: number): string {
  return `${dataset}/part-${String(number).padStart(4, '0')}.root`;
}
