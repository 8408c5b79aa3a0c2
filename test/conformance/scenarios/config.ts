import { account, as, use } from '../steps.ts';
import type { Scenario } from '../types.ts';

const root = as('root');
const alice = as('cfg-alice');
const bob = as('cfg-bob');
const DENIED = use(401, 'AccessDenied', 'access 4.3');
const NO_VALUE = use(400, 'ConfigurationError', 'access 4.2');
const TOO_LONG = use(400, 'ConfigurationError', 'access 4.1');
const SLASH = use(201, null, 'access 0.6');
const TEXT = use(200, null, 'access 4.2');
const S = '/config/cfg-one';

/** Configuration: options in sections, and what their texts mean. */
export const config: Scenario = {
  name: 'config',
  about: 'options of the configuration: setting, reading, conversion, deleting, permissions',
  steps: [
    ...account('cfg-alice'),
    ...account('cfg-bob'),
    root.post('make bob an admin', '/accounts/cfg-bob/attr/admin', { value: 'true' }),

    root.get('no section', S),
    root.get('no option', `${S}/first`),
    root.delete('delete no section', S),
    root.delete('delete no option', `${S}/first`),

    root.post('set an option', '/config', { 'cfg-one': { first: 'a text' } }),
    root.get('the option', `${S}/first`),
    root.get('the section', S),
    root.get('another option of the section', `${S}/second`),
    root.post('set it again', '/config', { 'cfg-one': { first: 'another text' } }),
    root.get('the later value holds', `${S}/first`),
    root.post('set it to what it is', '/config', { 'cfg-one': { first: 'another text' } }),
    root.put('set an option by its path', `${S}/second/42`),
    root.get('a number', `${S}/second`),
    root.put('set it again by its path', `${S}/second/a%20b%2525`),
    root.get('a value is decoded once', `${S}/second`),
    root.put('a value with a slash', `${S}/second/a%2Fb`, undefined, SLASH),
    root.put('no value', `${S}/second`, undefined, { compare: 'status' }),
    root.get('a fourth segment', `${S}/second/third`, { compare: 'status' }),
    root.post('set options of several sections', '/config', {
      'cfg-two': { a: 'x', b: 'y' },
      'cfg-three': { a: 'z' },
    }),
    root.get('one of them', '/config/cfg-two'),
    root.get('the other one', '/config/cfg-three'),

    root.post('texts that mean something', '/config', {
      'cfg-text': {
        true: 'true',
        yes: 'YES',
        on: 'oN',
        false: 'False',
        no: 'no',
        off: 'OFF',
        one: '1',
        zeroes: '007',
        grouped: '1_000',
        blanks: ' 42 ',
        plus: '+5',
        minus: '-7',
        large: '12345678901234567890123',
        fraction: '3.14',
        point: '.5',
        dot: '3.',
        exponent: '1e5',
      },
    }),
    root.get('what they mean', '/config/cfg-text'),
    root.get('a truth', '/config/cfg-text/yes'),
    root.get('a fraction', '/config/cfg-text/fraction'),
    root.post('texts that mean themselves', '/config', {
      'cfg-plain': { none: 'None', null: 'null', hex: '0x10', underscores: '1__0', blank: ' true ', empty: '' },
    }),
    root.get('they are texts', '/config/cfg-plain'),
    root.get('the empty text', '/config/cfg-plain/empty'),
    root.post('set to no number', '/config', { 'cfg-nan': { inf: 'inf', nan: 'NaN' } }),
    root.get('no number', '/config/cfg-nan', TEXT),

    root.post('values that are no texts', '/config', {
      'cfg-json': { integer: 5, fraction: 1.5, true: true, false: false },
    }),
    root.get('they come back', '/config/cfg-json'),
    root.post('a large integer', '/config', { raw: '{"cfg-json": {"large": 123456789012345678901234567890}}' }),
    root.post('change to values that are no texts', '/config', { 'cfg-json': { integer: true, true: 7 } }),
    root.get('what was changed', '/config/cfg-json/integer'),
    root.post('set to null', '/config', { 'cfg-null': { a: null } }, NO_VALUE),
    root.get('the section of null', '/config/cfg-null', use(404, 'ConfigNotFound', 'access 4.2')),
    root.delete('delete the section of null', '/config/cfg-null', undefined, use(404, 'ConfigNotFound', 'access 4.2')),
    root.post('set to a list', '/config', { 'cfg-list': { a: [1] } }, NO_VALUE),
    root.post('set to an object', '/config', { 'cfg-object': { a: { b: 1 } } }, NO_VALUE),

    root.post('names with all kinds of characters', '/config', {
      'cfg #%/ é': { 'a#b': '1', 'ä b': '2', '': '3', __proto: '4' },
    }),
    root.get('a section with a slash', '/config/cfg%20%23%25%2F%20%C3%A9', use(200, null, 'access 0.6')),
    root.post('names without a slash', '/config', { 'cfg #% é': { 'a#b': '1', 'ä b': '2', '': '3' } }),
    root.get('the section of such a name', '/config/cfg%20%23%25%20%C3%A9'),
    root.get('an option of such a name', '/config/cfg%20%23%25%20%C3%A9/a%23b'),
    root.get('names are case-sensitive', '/config/CFG-one'),
    root.post('the longest names', '/config', { [`cfg-${'s'.repeat(124)}`]: { ['o'.repeat(128)]: 'v'.repeat(4000) } }),
    root.get('an option of the longest names', `/config/cfg-${'s'.repeat(124)}/${'o'.repeat(128)}`),
    root.post('a section that is too long', '/config', { [`cfg-${'s'.repeat(125)}`]: { a: 'b' } }, TOO_LONG),
    root.post('an option that is too long', '/config', { 'cfg-long': { ['o'.repeat(129)]: 'b' } }, TOO_LONG),
    root.post('a value that is too long', '/config', { 'cfg-long': { a: 'v'.repeat(4001) } }, TOO_LONG),

    root.post('set nothing', '/config', {}),
    root.post('set nothing of a section', '/config', { 'cfg-none': {} }),
    root.get('a section without options is none', '/config/cfg-none'),
    root.post('a list as body', '/config', []),
    root.post('a text as body', '/config', 'text'),
    root.post('no body', '/config'),
    root.post('bad JSON', '/config', { raw: '{"cfg' }),
    root.post('a list as section', '/config', { 'cfg-bad': [] }),
    root.post('a text as section', '/config', { 'cfg-bad': 'text' }),
    root.post('null as section', '/config', { 'cfg-bad': null }),

    alice.get('all as alice', '/config', DENIED),
    alice.get('a section as alice', S, DENIED),
    alice.get('an option as alice', `${S}/first`),
    alice.get('no option as alice', `${S}/none`),
    alice.post('set as alice', '/config', { 'cfg-one': { first: 'x' } }, DENIED),
    alice.post('set nothing as alice', '/config', {}),
    alice.put('set by the path as alice', `${S}/first/x`, undefined, DENIED),
    alice.delete('delete an option as alice', `${S}/first`, undefined, DENIED),
    alice.delete('delete a section as alice', S, undefined, DENIED),
    bob.get('all as admin', '/config', { compare: 'class' }),
    bob.get('an option as admin', `${S}/first`),
    bob.put('set as admin', `${S}/first/by-bob`),
    as('none').get('all without token', '/config', use(401, 'CannotAuthenticate', 'access 8 #4')),

    root.get('all with stream Accept', '/config', { headers: { Accept: 'application/x-json-stream' } }),
    root.get('a section with stream Accept', S, { headers: { Accept: 'application/x-json-stream' } }),
    root.get('an option with text Accept', `${S}/first`, { headers: { Accept: 'text/html' } }),
    root.delete('delete all', '/config', undefined, { compare: 'status' }),
    root.put('put all', '/config', {}, { compare: 'status' }),
    root.post('post a section', S, {}, { compare: 'status' }),
    root.get('all with a final slash', '/config/', { ...use(200, null, 'access 0.6') }),

    root.delete('delete an option', `${S}/second`),
    root.delete('delete it twice', `${S}/second`),
    root.get('the section has what is left', S),
    root.delete('delete the last option', `${S}/first`),
    root.get('the section went with it', S),
    root.delete('delete a section', '/config/cfg-two'),
    root.get('its options are gone', '/config/cfg-two/a'),
    root.delete('delete it twice, too', '/config/cfg-two'),
  ],
};
