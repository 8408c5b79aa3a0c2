import { account, as, collection, file, files, rse, scope, use } from '../steps.ts';
import type { JsonValue, Scenario } from '../types.ts';

const root = as('root');
const alice = as('amy-alice');

function named(...names: string[]): JsonValue[] {
  return names.map((name) => ({ scope: 'amy', name }));
}

function attachment(name: string, ...children: string[]): { scope: string; name: string; dids: JsonValue[] } {
  return { scope: 'amy', name, dids: named(...children) };
}

/** Attaching many at once, detaching, and the history of a content. */
export const didAttachments: Scenario = {
  name: 'did-attachments',
  about: 'POST /dids/attachments, DELETE /dids/{scope}/{name}/dids, GET …/dids/history',
  steps: [
    ...account('amy-alice'),
    scope('amy'),
    scope('amy.alice', 'amy-alice'),
    rse('AMY-DISK'),
    collection('DATASET', 'amy', 'ds1'),
    collection('DATASET', 'amy', 'ds2'),
    collection('DATASET', 'amy', 'ds3'),
    collection('CONTAINER', 'amy', 'cont'),
    collection('CONTAINER', 'amy', 'top'),
    files('amy', 'ds1', 'AMY-DISK', ['f1', 'f2', 'f3']),
    root.post('set up owned dataset', '/dids/amy.alice/ds', { type: 'DATASET' }),

    root.post('list of attachments', '/dids/attachments', [attachment('ds2', 'f1'), attachment('cont', 'ds1')]),
    root.get('content of ds2', '/dids/amy/ds2/dids'),
    root.get('content of cont', '/dids/amy/cont/dids'),
    root.post('object of attachments', '/dids/attachments', {
      attachments: [attachment('ds2', 'f2')],
    }),
    root.post('new files on an rse', '/dids/attachments', [
      {
        scope: 'amy',
        name: 'ds3',
        rse: 'AMY-DISK',
        dids: [file('amy', 'g1', 3), file('amy', 'g2', 4)],
      },
    ]),
    root.post('rse null', '/dids/attachments', [{ ...attachment('ds3', 'f1'), rse: null }]),
    root.get('content of ds3', '/dids/amy/ds3/dids'),
    root.post('ignore duplicates', '/dids/attachments', {
      ignore_duplicate: true,
      attachments: [attachment('ds2', 'f1', 'f3')],
    }),
    root.get('content of ds2 after ignoring', '/dids/amy/ds2/dids'),
    root.post('ignore duplicates as text', '/dids/attachments', {
      ignore_duplicate: 'True',
      attachments: [attachment('ds2', 'f1')],
    }),
    root.post('ignore duplicates, other size', '/dids/attachments', {
      ignore_duplicate: true,
      attachments: [{ scope: 'amy', name: 'ds2', dids: [file('amy', 'f1', 99)] }],
    }),
    root.post('ignore duplicate datasets', '/dids/attachments', {
      ignore_duplicate: true,
      attachments: [attachment('cont', 'ds1', 'ds2')],
    }),
    root.post('container into container', '/dids/attachments', [attachment('top', 'cont')]),
    root.post('empty list', '/dids/attachments', []),
    root.post('already attached file', '/dids/attachments', [attachment('ds2', 'f1')]),
    root.post('already attached dataset', '/dids/attachments', [attachment('cont', 'ds1')]),
    root.post('file into container', '/dids/attachments', [attachment('cont', 'f1')]),
    root.post('circle', '/dids/attachments', [attachment('cont', 'top')]),
    root.post('unknown child', '/dids/attachments', [attachment('cont', 'nothing')]),
    root.post('unknown parent', '/dids/attachments', [attachment('nothing', 'f1')]),
    root.post('one good and one unknown', '/dids/attachments', [
      attachment('cont', 'ds3'),
      attachment('nothing', 'f1'),
    ]),
    root.get('the good one is undone', '/dids/amy/ds3/parents'),
    root.post(
      'unknown rse',
      '/dids/attachments',
      [{ ...attachment('ds3', 'f2'), rse: 'AMY-NONE' }],
      use(404, 'RSENotFound', 'dids 2.8'),
    ),
    root.post('no children', '/dids/attachments', [attachment('ds3')], use(400, 'InvalidObject', 'dids 2.8')),
    root.post(
      'no key dids',
      '/dids/attachments',
      [{ scope: 'amy', name: 'ds3' }],
      use(400, 'InvalidObject', 'dids 2.8'),
    ),
    root.post(
      'unknown key',
      '/dids/attachments',
      [{ ...attachment('ds3', 'f2'), colour: 'red' }],
      use(400, 'InvalidObject', 'dids 2.8'),
    ),
    root.post('no attachments', '/dids/attachments', { ignore_duplicate: true }),
    root.post('bad boolean', '/dids/attachments', { ignore_duplicate: 'maybe', attachments: [] }),
    root.post('text as body', '/dids/attachments', 'x'),
    root.post('no body', '/dids/attachments'),
    alice.post('into own scope', '/dids/attachments', [{ scope: 'amy.alice', name: 'ds', dids: named('f1') }]),
    alice.post('into own and foreign scope', '/dids/attachments', [
      { scope: 'amy.alice', name: 'ds', dids: named('f2') },
      attachment('ds3', 'f2'),
    ]),

    root.put('close ds2', '/dids/amy/ds2/status', { open: false }),
    root.get('size before detaching', '/dids/amy/ds2'),
    root.delete('detach from closed dataset', '/dids/amy/ds2/dids', { dids: named('f1') }),
    root.get('size after detaching', '/dids/amy/ds2'),
    root.get('content after detaching', '/dids/amy/ds2/dids'),
    root.get('history after detaching', '/dids/amy/ds2/dids/history'),
    root.delete('detach again', '/dids/amy/ds2/dids', { dids: named('f1') }),
    root.delete('detach one attached and one not', '/dids/amy/ds2/dids', {
      dids: named('f2', 'f1'),
    }),
    root.get('content after refused detaching', '/dids/amy/ds2/dids'),
    root.put('reopen ds2', '/dids/amy/ds2/status', { open: true }),
    root.post('attach again', '/dids/amy/ds2/dids', { dids: named('f1') }),
    root.delete('detach with unknown element keys', '/dids/amy/ds2/dids', {
      dids: [{ scope: 'amy', name: 'f1', colour: 'red' }],
    }),
    root.get('history shows both', '/dids/amy/ds2/dids/history'),
    root.delete('detach from container', '/dids/amy/cont/dids', { dids: named('ds1') }),
    root.get('history of container', '/dids/amy/cont/dids/history'),
    root.delete('detach container', '/dids/amy/top/dids', { dids: named('cont') }),
    root.get('history of DID without history', '/dids/amy/ds1/dids/history'),
    root.get(
      'history of unknown DID',
      '/dids/amy/nothing/dids/history',
      use(404, 'DataIdentifierNotFound', 'dids 6 #16'),
    ),
    root.get('history with json Accept', '/dids/amy/ds2/dids/history', {
      headers: { Accept: 'application/json' },
    }),
    root.delete('detach from itself', '/dids/amy/cont/dids', { dids: named('cont') }),
    root.delete('detach from empty container', '/dids/amy/top/dids', { dids: named('cont') }),
    root.delete('detach from unknown parent', '/dids/amy/nothing/dids', { dids: named('f1') }),
    root.delete('detach from a file', '/dids/amy/f1/dids', { dids: named('f2') }),
    root.delete('detach nothing', '/dids/amy/ds1/dids', { dids: [] }),
    root.delete('detach without key dids', '/dids/amy/ds1/dids', {}),
    root.delete('detach without body', '/dids/amy/ds1/dids'),
    root.delete('detach with list as body', '/dids/amy/ds1/dids', named('f1')),
    alice.delete('detach from own scope', '/dids/amy.alice/ds/dids', { dids: named('f1') }),
    alice.delete('detach from foreign scope', '/dids/amy/ds1/dids', { dids: named('f1') }),
    root.put('wrong method on content', '/dids/amy/ds1/dids', {}),
    root.get(
      'attachments cannot be read',
      '/dids/attachments',
      use(404, 'DataIdentifierNotFound', 'dids 1.6: no redirects, so it is the scope attachments'),
    ),
  ],
};
