import { describe, expect, it } from 'vitest';

import { readPattern } from '../../../lib/domain/subscriptions/pattern.ts';
import { readTemplates } from '../../../lib/domain/subscriptions/rule-template.ts';
import { readFilter } from '../../../lib/domain/subscriptions/subscription-filter.ts';

const matches = (source: string, text: string) => {
  const pattern = readPattern(source);
  if (pattern === undefined) return undefined;
  pattern.lastIndex = 0;
  return pattern.test(text);
};

describe('a regular expression of Python (access 3.7)', () => {
  it.each<[string, string, boolean | undefined]>([
    ['raw', 'raw.0001', true],
    ['0001', 'raw.0001', false],
    ['', 'raw', true],
    ['(?P<a>x)(?P=a)', 'xx', true],
    ['(?P<a>x)(?P=a)', 'xy', false],
    ['(?i)RAW', 'raw', true],
    ['RAW', 'raw', false],
    [String.raw`raw\Z`, 'raw.1', false],
    [String.raw`\Araw`, 'raw.1', true],
    ['(', '(', undefined],
    ['(?x) a', 'a', undefined],
  ])('%s against %s: %s', (source, text, expected) => {
    expect(matches(source, text)).toBe(expected);
  });
});

describe('the filter of a subscription (access 3.7)', () => {
  it('that is empty has no conditions', () => {
    expect(readFilter('{}')).toEqual({ splitRule: false, columns: new Map() });
  });

  it('parses each key, and a single value as a list of one', () => {
    const filter = readFilter(
      JSON.stringify({
        pattern: 'raw',
        excluded_pattern: 'x',
        scope: ['a', 'b'],
        account: ['alice'],
        did_type: 'DATASET',
        min_avg_file_size: 5,
        max_avg_file_size: '7.5',
        split_rule: true,
        transient: [false, null],
        run_number: 5,
        group: 'g',
      }),
    );
    expect(filter).toEqual({
      pattern: [/raw/y],
      excludedPattern: [/x/y],
      scope: [/a/y, /b/y],
      accounts: new Set(['alice']),
      types: new Set(['DATASET']),
      minMeanFileBytes: 5,
      maxMeanFileBytes: 7.5,
      splitRule: true,
      columns: new Map([
        ['transient', [/False/y, /None/y]],
        ['run_number', [/5/y]],
        ['group', [/g/y]],
      ]),
    });
  });

  it('with an invalid expression matches nothing', () => {
    expect(readFilter('{"pattern": "(", "project": ["(", "a"]}')).toMatchObject({
      pattern: [],
      columns: new Map([['project', [/a/y]]]),
    });
  });

  it('accepts names such as __proto__ as columns', () => {
    const { columns } = readFilter('{"__proto__": "a", "constructor": "b"}');
    expect([...columns.keys()]).toEqual(['__proto__', 'constructor']);
  });
});

describe('the rules of a subscription (access 3.8)', () => {
  const one = (template: object) => readTemplates(JSON.stringify([template]))[0];
  const plain = { locked: false, purgeReplicas: false, ignoreAvailability: false };

  it('are parsed with all members', () => {
    const template = {
      rse_expression: 'tier=1',
      copies: '2',
      activity: 'Staging',
      lifetime: '3600',
      account: 'alice',
      comments: 'c',
      weight: 'w',
      grouping: 'NONE',
      locked: 'True',
      purge_replicas: true,
      ignore_availability: false,
      source_replica_expression: 'X',
      delay_injection: 60,
    };
    expect(one(template)).toEqual({
      rseExpression: 'tier=1',
      copies: 2,
      activity: 'Staging',
      lifetime: 3600,
      account: 'alice',
      comments: 'c',
      weight: 'w',
      grouping: 'NONE',
      locked: true,
      purgeReplicas: true,
      ignoreAvailability: false,
      sourceReplicaExpression: 'X',
      delayInjection: 60,
    });
    expect(one({ rse_expression: 'X', copies: '*' })).toEqual({ rseExpression: 'X', copies: 'all', ...plain });
  });

  it.each([
    {},
    { rse_expression: 'X' },
    { copies: 1 },
    { rse_expression: 'X', copies: 0 },
    { rse_expression: 'X', copies: 1.5 },
    { rse_expression: 'X', copies: 'many' },
    { rse_expression: 'X', copies: 1, chained_idx: 1, algorithm: 'exclude_site' },
  ])('%j is invalid', (template) => {
    expect(one(template)).toBeUndefined();
  });

  it('can be chained to a preceding one', () => {
    const least = { rse_expression: 'X', copies: 1 };
    const chain = (more: object) => readTemplates(JSON.stringify([{}, least, { ...least, ...more }]));
    const [impossible, first, third] = chain({
      chained_idx: 2,
      algorithm: 'associated_site',
      associated_site_idx: '1',
    });
    expect([impossible, first?.chain]).toEqual([undefined, undefined]);
    expect(third?.chain).toEqual({ index: 1, algorithm: 'associated_site', siteIndex: 0 });
    expect(chain({ chained_idx: 2, algorithm: 'exclude_site' })[2]?.chain).toEqual({
      index: 1,
      algorithm: 'exclude_site',
    });
    expect(chain({ chained_idx: 2, algorithm: 'associated_site' })[2]).toBeUndefined();
    expect(chain({ chained_idx: 2, algorithm: 'other' })[2]).toBeUndefined();
    expect(chain({ chained_idx: 3, algorithm: 'exclude_site' })[2]).toBeUndefined();
  });
});
