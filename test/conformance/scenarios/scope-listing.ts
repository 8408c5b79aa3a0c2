import { as, collection, files, rse, scope, use } from '../steps.ts';
import type { Scenario } from '../types.ts';

const root = as('root');

/** The listing of one scope, names that need care on the wire, and route borders. */
export const scopeListing: Scenario = {
  name: 'scope-listing',
  about: 'GET /dids/{scope}/ and unusual names in paths',
  steps: [
    scope('lis'),
    scope('lis2'),
    scope('lis-empty'),
    rse('LIS-DISK'),
    collection('CONTAINER', 'lis', 'top'),
    collection('DATASET', 'lis', 'ds.b'),
    collection('DATASET', 'lis', 'ds.a'),
    collection('DATASET', 'lis2', 'far'),
    collection('DATASET', 'lis', 'lonely'),
    files('lis', 'ds.b', 'LIS-DISK', ['f2', 'f1']),
    root.post('set up top', '/dids/lis/top/dids', {
      dids: [
        { scope: 'lis', name: 'ds.a' },
        { scope: 'lis', name: 'ds.b' },
        { scope: 'lis2', name: 'far' },
      ],
    }),

    root.get('top level', '/dids/lis/', { compare: 'ordered' }),
    root.get('recursive', '/dids/lis/?recursive=true', { compare: 'ordered' }),
    root.get('recursive false', '/dids/lis/?recursive=false', { compare: 'ordered' }),
    root.get('one container', '/dids/lis/?name=top'),
    root.get('one container recursively', '/dids/lis/?name=top&recursive=True'),
    root.get('one dataset', '/dids/lis/?name=ds.b'),
    root.get('one file', '/dids/lis/?name=f1'),
    root.get('unknown name', '/dids/lis/?name=nothing'),
    root.get('empty name', '/dids/lis/?name='),
    root.get('recursive is no boolean', '/dids/lis/?recursive=deep'),
    root.get('child of a foreign container is on top', '/dids/lis2/'),
    root.get('scope without DIDs', '/dids/lis-empty/', use(404, 'DataIdentifierNotFound', 'dids 6 #17')),
    root.get('unknown scope', '/dids/lis-none/', use(404, 'DataIdentifierNotFound', 'dids 6 #17')),
    root.get('without final slash', '/dids/lis', use(200, null, 'dids 1.6')),
    root.get('json Accept', '/dids/lis/', { headers: { Accept: 'application/json' } }),
    root.post('POST to a scope', '/dids/lis/', { type: 'DATASET' }, { compare: 'status' }),

    // names
    root.post('name with slashes', '/dids/lis/a/b/c', { type: 'DATASET' }),
    root.get('read with slashes', '/dids/lis/a/b/c'),
    root.get('read with encoded slashes', '/dids/lis/a%2Fb%2Fc'),
    root.get('read with encoded first slash', '/dids/lis%2Fa%2Fb%2Fc'),
    root.get('read with doubly encoded slash', '/dids/lis/a%252Fb%252Fc'),
    root.post('name beginning with a slash', '/dids/lis/%2Fabs/path', { type: 'DATASET' }),
    root.get('read name beginning with a slash', '/dids/lis//abs/path'),
    root.post(
      'name ending with a slash',
      '/dids/lis/folder/',
      { type: 'CONTAINER' },
      use(400, 'InvalidObject', 'the path of a folder is no path of a file (dids 4.1)'),
    ),
    root.get(
      'read name ending with a slash',
      '/dids/lis/folder/',
      use(404, 'DataIdentifierNotFound', 'Dapple did not create it'),
    ),
    root.get('read name without its slash', '/dids/lis/folder'),
    root.get(
      'content of name ending with a slash',
      '/dids/lis/folder//dids',
      use(404, 'DataIdentifierNotFound', 'Dapple did not create it'),
    ),
    root.post('attach into name with slashes', '/dids/lis/a/b/c/dids', {
      dids: [{ scope: 'lis', name: 'f1' }],
    }),
    root.get('content of name with encoded slashes', '/dids/lis/a%2Fb%2Fc/dids'),
    root.get('metadata of name with slashes', '/dids/lis/a/b/c/meta'),
    root.get('files of name with slashes', '/dids/lis/a%2Fb/c/files'),
    root.get(
      'doubled slash before the scope',
      '/dids//lis/ds.a',
      use(200, null, 'dids 1.6: served without a redirect'),
    ),
    root.get('dot segments stay', '/dids/lis/./ds.a'),
    root.get('encoded letters', '/dids/%6C%69%73/ds%2Ea'),
    root.get('plus in the name is a plus', '/dids/lis/a+b'),
    root.get('blank in the name', '/dids/lis/a%20b'),
    root.get('unicode in the name', '/dids/lis/%C3%A9t%C3%A9'),
    root.get('unicode in the scope', '/dids/sc%C3%B6pe/x'),
    root.get('broken UTF-8 in the name', '/dids/lis/%FF', { compare: 'class' }),
    root.get('percent in the name', '/dids/lis/100%25'),
    root.get('colon in the name', '/dids/lis/lis:ds.a'),
    root.get('newline in the name', '/dids/lis/a%0Ab'),
    root.get('very long name', `/dids/lis/${'x'.repeat(300)}`),

    // route borders
    root.get('no scope at all', '/dids'),
    root.post('dataset called dids', '/dids/lis/dids', { type: 'DATASET' }),
    root.post('dataset called meta', '/dids/lis/meta', { type: 'DATASET' }),
    root.get('read the name meta', '/dids/lis/meta'),
    root.get('read the name dids', '/dids/lis/dids'),
    root.post('name ending in status', '/dids/lis/x/status', { type: 'DATASET' }),
    root.get('name ending in an unknown word', '/dids/lis/ds.a/colour'),
    root.get(
      'name ending in parents twice',
      '/dids/lis/ds.a/parents/parents',
      use(404, 'DataIdentifierNotFound', 'dids 6 #16'),
    ),
    root.get('query marks in encoded form', '/dids/lis/ds.a%3Fdynamic'),
    root.get('unknown prefix', '/didz/lis/ds.a'),
    root.get('capital prefix', '/DIDS/lis/ds.a'),
    root.get('root of the service', '/', use(303, null, 'the page for browsers, an extension')),
    root.send('PATCH', 'unknown method', '/dids/lis/ds.a'),
    as('none').send('OPTIONS', 'OPTIONS without origin', '/dids/lis/ds.a', undefined, {
      compare: 'status',
    }),
    as('none').send('OPTIONS', 'OPTIONS of an unknown origin', '/dids/lis/ds.a', undefined, {
      headers: { Origin: 'https://evil.example.org' },
      compare: 'status',
    }),
  ],
};
