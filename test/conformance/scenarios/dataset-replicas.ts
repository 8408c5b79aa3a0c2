import { as, collection, rse, scope } from '../steps.ts';
import type { JsonValue, Scenario } from '../types.ts';

const root = as('root');
const file = (name: string) => ({ scope: 'dsr', name, bytes: 10, adler32: '0cc737eb' });
const key = (name: string) => ({ scope: 'dsr', name });
const ROWS = { compare: 'keys' } as const;
const state = (letter: string): JsonValue => ({ rse: 'DSR_ONE', files: [{ ...key('a.zip'), state: letter }] });

/**
 * On which RSEs a dataset is. Its files are registered on DSR_TWO, an archive of them on both, its rule is on DSR_ONE.
 * Rucio fills in the numbers of the stored rows only later, so those are compared by their keys.
 */
export const datasetReplicas: Scenario = {
  name: 'dataset-replicas',
  about: 'dataset replicas, with files in archives and without',
  steps: [
    scope('dsr'),
    rse('DSR_ONE'),
    rse('DSR_TWO'),
    root.post('allow the account everything on one', '/accounts/root/limits/local/DSR_ONE', { bytes: -1 }),
    root.post('register the archive on one', '/replicas', { rse: 'DSR_ONE', files: [file('a.zip')] }),
    root.post('register the archive on two', '/replicas', { rse: 'DSR_TWO', files: [file('a.zip')] }),
    root.post('register the files on two', '/replicas', { rse: 'DSR_TWO', files: [file('f1'), file('f2')] }),
    root.post('put the files into the archive', '/dids/dsr/a.zip/dids', { dids: [file('f1'), file('f2')] }),
    collection('DATASET', 'dsr', 'ds'),
    root.post('attach the files', '/dids/dsr/ds/dids', { dids: [file('f1'), file('f2')] }),

    root.get('no rows without a rule', '/replicas/dsr/ds/datasets'),
    root.post('none in bulk', '/replicas/datasets_bulk', { dids: [key('ds')] }),
    root.get('no datasets of the RSE without a rule', '/replicas/rse/DSR_TWO'),
    root.get('deep without a rule', '/replicas/dsr/ds/datasets?deep=True'),

    root.post(
      'make a rule on one',
      '/rules/',
      { dids: [key('ds')], account: 'root', copies: 1, rse_expression: 'DSR_ONE' },
      { compare: 'status' },
    ),
    root.get('a row for the lock', '/replicas/dsr/ds/datasets', ROWS),
    root.post('a row in bulk', '/replicas/datasets_bulk', { dids: [key('ds')] }, ROWS),
    root.get('the datasets of the RSE with the lock', '/replicas/rse/DSR_ONE', ROWS),
    root.get('no datasets of the RSE with the files', '/replicas/rse/DSR_TWO'),
    root.get('deep', '/replicas/dsr/ds/datasets?deep=True'),

    root.put('the archive is unavailable for some time', '/replicas', state('T')),
    root.get('deep without that archive', '/replicas/dsr/ds/datasets?deep=True'),
    root.put('the archive is back', '/replicas', state('A')),
    root.get('deep with that archive', '/replicas/dsr/ds/datasets?deep=True'),
  ],
};
