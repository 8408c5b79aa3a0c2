import { account, as, rse, use } from '../steps.ts';
import type { Scenario } from '../types.ts';

const root = as('root');
const alice = as('dst-alice');
const pair = (source: string, destination: string) => `/rses/${source}/distances/${destination}`;
const AB = pair('DST_A', 'DST_B');
const BA = pair('DST_B', 'DST_A');
const AC = pair('DST_A', 'DST_C');
/** The path of spec/interface.md 4.4, on which Rucio knows attributes only. */
const OLD = '/rses/DST_B/attr/DST_C';
const BAD_VALUE = use(400, 'InvalidObject', 'rses 0.2');
const SERVED = use(200, null, 'rses 9.2');

/** Distances between RSEs (spec/rses.md 1.9 to 1.12, 4, 9.2). */
export const rseDistances: Scenario = {
  name: 'rse-distances',
  about: 'distances between RSEs, on the paths of the client and of the interface document (interface 4.4)',
  steps: [
    ...account('dst-alice'),
    rse('DST_A'),
    rse('DST_B'),
    rse('DST_C'),

    root.get('no distance', AB),
    root.post('set a distance', AB, { distance: 3 }),
    alice.get('a distance', AB),
    root.get('the other direction', BA),
    root.post('set it twice', AB, { distance: 4 }),
    root.put('change it', AB, { distance: 5 }),
    root.get('it has changed', AB),
    root.put('change what is not there', BA, { distance: 5 }),
    root.get('it still is not there', BA),
    root.put('change without a number', AB, {}),
    root.get('it is null', AB),
    root.put('change by ranking', AB, { ranking: 8, unknown: 1 }),
    root.get('the ranking is the distance', AB),
    root.put('distance wins over ranking', AB, { distance: 0, ranking: 8 }),
    root.get('zero is a distance', AB),
    root.put('null distance, ranking', AB, { distance: null, ranking: -2 }),
    root.get('a negative distance', AB),

    root.post('both directions, one is there', AB, { distance: 1, bidirectional: true }),
    root.post('both directions, the other is there', BA, { distance: 1, bidirectional: true }),
    root.get('neither was made', BA),
    root.post('both directions', AC, { distance: 2, bidirectional: 'true' }),
    root.get('there', AC),
    root.get('and back', pair('DST_C', 'DST_A')),
    root.put('change both', AC, { distance: 7, bidirectional: true }),
    root.get('back has changed', pair('DST_C', 'DST_A')),
    root.put('change both, one is there', BA, { distance: 9, bidirectional: 1 }),
    root.get('that one has changed', AB),
    root.delete('delete one', AC),
    root.get('it is gone', AC),
    root.get('back is there', pair('DST_C', 'DST_A')),
    root.delete('delete it twice', AC),
    root.delete('delete both, one is there', `${AC}?bidirectional=true`),
    root.get('back is gone', pair('DST_C', 'DST_A')),

    root.post('from an RSE to itself', pair('DST_A', 'DST_A'), { distance: 0 }),
    root.get('it is a distance', pair('DST_A', 'DST_A')),
    root.post('from an RSE to itself and back', pair('DST_B', 'DST_B'), { distance: 0, bidirectional: true }),
    root.get('that is none', pair('DST_B', 'DST_B')),
    root.post('without a number', AC, {}),
    root.get('is null', AC),

    root.post('without a body', BA),
    root.post('with a list', BA, [1]),
    root.post('with a text', BA, { raw: 'distance' }),
    root.post('bidirectional is none', BA, { distance: 1, bidirectional: 'both' }),
    root.post('bidirectional is null', BA, { distance: 1, bidirectional: null }),
    root.delete('delete, bidirectional is none', `${BA}?bidirectional=both`),
    root.delete('delete, bidirectional is empty', `${BA}?bidirectional=`),
    root.put('put without a body', BA),
    root.put('put, bidirectional is none', BA, { bidirectional: [] }),
    root.post('a distance in words', BA, { distance: 'far' }, BAD_VALUE),
    root.post('a distance as a text', BA, { distance: '12' }, BAD_VALUE),
    root.delete('delete what the text has made', BA),
    root.post('a broken distance', BA, { distance: 1.5 }, BAD_VALUE),
    root.delete('delete what the fraction has made', BA),
    root.post('a distance of too many digits', BA, { distance: 2 ** 31 }, BAD_VALUE),
    root.post('the largest distance', BA, { distance: 2 ** 31 - 1 }),
    root.get('is kept', BA),
    root.delete('delete the largest', BA),

    root.get('from nowhere', pair('DST_NOPE', 'DST_NOPE2')),
    root.get('to nowhere', pair('DST_A', 'DST_NOPE')),
    root.post('set from nowhere', pair('DST_NOPE', 'DST_A'), { distance: 1 }),
    root.put('change to nowhere', pair('DST_A', 'DST_NOPE'), { distance: 1 }),
    root.delete('delete from nowhere', pair('DST_NOPE', 'DST_A')),
    alice.post('set as alice', AB, { distance: 1 }),
    alice.post('permission before the RSE', pair('DST_NOPE', 'DST_A'), { distance: 1 }),
    alice.put('change as alice', AB, { distance: 1 }),
    alice.delete('delete as alice', AB),
    alice.get('get a stream', AB, { headers: { Accept: 'application/x-json-stream' } }),
    as('none').get('without a token', AB, use(401, 'CannotAuthenticate', 'access 8 #4')),

    root.get('old path: get', OLD, SERVED),
    root.put('old path: change', OLD, { distance: 1 }, SERVED),
    root.post('old path: neither value nor distance', OLD, {}),
    root.post('old path: both directions alone', OLD, { bidirectional: true }),
    root.post('old path: a value is an attribute', OLD, { value: 'x', distance: 1 }),
    root.get('old path: it is no distance', pair('DST_B', 'DST_C')),
    root.get('old path: it is an attribute', '/rses/DST_B/attr/'),
    root.post('old path: a distance', OLD, { distance: 1 }, use(201, null, 'rses 9.2')),
    root.delete('old path: delete is about the attribute', OLD),

    root.delete('disable an RSE', '/rses/DST_C'),
    root.get('to a disabled RSE', AC),
    root.put('change to a disabled RSE', AC, { distance: 6 }),
    root.get('it has changed too', AC),
    root.put('rename an RSE', '/rses/DST_A', { name: 'DST_A2' }),
    root.get('under the new name', pair('DST_A2', 'DST_C')),
    root.get('under the old name', AC),
  ],
};
