import { describe, expect, it } from 'vitest';

import { compileProjection, projectPaths } from '../../src/expressions/projection.ts';
import type { Item } from '../../src/values/attribute-value.ts';
import { bindingsFor } from './support.ts';

const item: Item = {
  a: { S: 'x' },
  m: { M: { x: { N: '1' }, y: { M: { z: { N: '2' } } } } },
  l: { L: [{ N: '0' }, { M: { x: { N: '1' }, q: { N: '9' } } }, { L: [{ N: '2' }, { N: '3' }] }] },
};

const project = (text: string, of: Item = item) => ({ ...compileProjection(text, bindingsFor(text)).project(of) });

describe('projections', () => {
  it.each<[string, Item]>([
    ['a', { a: { S: 'x' } }],
    ['#a, absent', { a: { S: 'x' } }],
    ['absent', {}],
    ['m.x', { m: { M: { x: { N: '1' } } } }],
    ['m.y.z, m.x', { m: { M: { y: { M: { z: { N: '2' } } }, x: { N: '1' } } } }],
    ['l[1].x', { l: { L: [{ M: { x: { N: '1' } } }] } }],
    ['l[2][1], l[0], l[7]', { l: { L: [{ N: '0' }, { L: [{ N: '3' }] }] } }],
    ['m.absent, l[9], a.b, l[0].x, m.y.absent, m.x.y', {}],
    ['m[0], l.x', {}],
  ])('%s', (text, expected) => {
    expect(project(text)).toEqual(expected);
  });

  it('lists its attributes and paths in the order of the text', () => {
    const { attributes, paths } = compileProjection('b.c, #a, b.d[1]', bindingsFor('#a'));
    expect(attributes).toEqual(['b', 'a']);
    expect(paths).toEqual([['b', 'c'], ['a'], ['b', 'd', 1]]);
  });

  it('finds attributes of any name', () => {
    const odd = JSON.parse('{"__proto__": {"M": {"constructor": {"S": "a"}}}}') as Item;
    const text = '#__proto__.#constructor, #toString';
    expect(JSON.stringify(compileProjection(text, bindingsFor(text)).project(odd))).toBe(JSON.stringify(odd));
  });

  it('accepts paths as well', () => {
    expect({ ...projectPaths(item, [['a'], ['absent']]) }).toEqual({ a: { S: 'x' } });
    expect({ ...projectPaths(item, [['l', 2, 0], ['l', 0], ['a']]) }).toEqual({
      l: { L: [{ N: '0' }, { L: [{ N: '2' }] }] },
      a: { S: 'x' },
    });
  });
});

describe('projections that are not valid', () => {
  it.each([
    ['', 'The expression can not be empty;'],
    ['!!', 'Syntax error; token: "!", near: "!!"'],
    ['b,', 'Syntax error; token: "<EOF>", near: ","'],
    ['b c', 'Syntax error; token: "c", near: "b c"'],
    ['(b)', 'Syntax error; token: "(", near: "(b"'],
    ['b[-1]', 'Syntax error; token: "-", near: "[-1"'],
    [':v', 'Syntax error; token: ":v", near: ":v"'],
    ['size(b)', 'Syntax error; token: "(", near: "size(b"'],
    ['b.status', 'Attribute name is a reserved keyword; reserved keyword: status'],
    ['b[99999999999]', 'List index is not within the allowable range; index: [99999999999]'],
    [`b${'.c'.repeat(32)}`, 'The document path has too many nesting levels; nesting levels: 33'],
    ['b[1], b.a1, #a.b, a', overlap('overlap', '[a, b]', '[a]')],
    ['a, #a[1]', overlap('overlap', '[a]', '[a, [1]]')],
    ['b, b', overlap('overlap', '[b]', '[b]')],
    ['a.b[1], #a[1], c', overlap('conflict', '[a, b, [1]]', '[a, [1]]')],
  ])('%s: %s', (text, message) => {
    expect(() => project(text)).toThrow(`Invalid ProjectionExpression: ${message}`);
  });
});

function overlap(what: string, one: string, two: string): string {
  return (
    `Two document paths ${what} with each other; must remove or rewrite one of these paths; ` +
    `path one: ${one}, path two: ${two}`
  );
}
