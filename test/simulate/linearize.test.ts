import { describe, expect, it } from 'vitest';

import { type Call, type Moment, NoWay, type Outcome, Ways } from './linearize.ts';
import { Catalogue, type Change, makeDid } from './model.ts';

const done: Outcome = { done: '' };
const refused = (name: string): Outcome => ({ refused: name });
const close: Change = { do: 'open', name: 'ds0', open: false };
const attach: Change = { do: 'attach', name: 'ds0', children: ['f0'], register: true };

let calls = 0;

/** When the catalogue was read, in milliseconds. */
const now = 1_000;

function call(change: Change, outcome: Outcome, overAt = now): Call {
  calls += 1;
  return { id: calls, change, outcome, overAt };
}

const begin = (one: Call): Moment => ({ kind: 'call', call: one });
const end = (one: Call): Moment => ({ kind: 'return', call: one });
const alone = (one: Call) => [begin(one), end(one)];
const start = new Catalogue(new Map([['ds0', makeDid(true, {}, [])]]));

function follow(moments: readonly Moment[]): Ways {
  const ways = new Ways(start);
  ways.follow(moments);
  return ways;
}

/** The catalogue after some changes, one after the other. */
function after(...changes: readonly Change[]): Catalogue {
  return changes.reduce((catalogue, change) => {
    const possible = catalogue.judge(change);
    return 'next' in possible ? possible.next : catalogue;
  }, start);
}

describe('a history of answers', () => {
  it('is explained by the order of the requests', () => {
    const ways = follow([...alone(call(attach, done)), ...alone(call(attach, refused('FileAlreadyExists')))]);
    ways.observe(after(attach), now);
  });

  it('is explained by either order of two that overlap', () => {
    const [one, other] = [call(close, done), call(attach, done)];
    const ways = follow([begin(one), begin(other), end(one), end(other)]);
    ways.observe(after(attach, close), now);
    const [first, second] = [call(close, done), call(attach, refused('UnsupportedOperation'))];
    follow([begin(second), begin(first), end(first), end(second)]).observe(after(close), now);
  });

  it('is not explained where a request is refused for what it did itself', () => {
    expect(() => follow(alone(call(close, refused('UnsupportedOperation'))))).toThrow(NoWay);
  });

  it('is not explained by an order against time', () => {
    expect(() => follow([...alone(call(close, done)), ...alone(call(attach, done))])).toThrow(NoWay);
  });

  it('is not explained where what was acknowledged is gone, or what was refused is there', () => {
    expect(() => follow(alone(call(attach, done))).observe(start, now)).toThrow(NoWay);
    const again = [...alone(call(attach, done)), ...alone(call(attach, refused('FileAlreadyExists')))];
    expect(() => follow(again).observe(start, now)).toThrow(NoWay);
  });

  it('is explained where one sets what another one changes meanwhile', () => {
    const set = (value: string): Change => ({ do: 'set', names: ['ds0'], key: 'flavour', value });
    const [down, up] = [call(set('down'), done), call(set('up'), done)];
    const ways = follow([...alone(call(set('up'), done)), begin(down), begin(up), end(down), end(up)]);
    ways.observe(after(set('up')), now);
  });

  it('may end with or without what was not answered, but not with half of it', () => {
    const bulk: Change = { do: 'attach', name: 'ds0', children: ['f0', 'f1'], register: true };
    const lost = alone(call(bulk, 'unknown'));
    follow(lost).observe(start, now);
    follow(lost).observe(after(bulk), now);
    expect(() => follow(lost).observe(after(attach), now)).toThrow(NoWay);
  });

  it('may not change later by what nobody is at any more', () => {
    const ways = follow(alone(call(attach, 'unknown')));
    ways.observe(start, now);
    expect(() => ways.observe(after(attach), now)).toThrow(NoWay);
  });

  it.each([
    { what: 'is still under way', overAt: Infinity },
    { what: 'ended after the reading began', overAt: now + 1 },
  ])('may change later by what $what', ({ overAt }) => {
    const ways = follow(alone(call(attach, 'unknown', overAt)));
    ways.observe(start, now);
    ways.observe(after(attach), now + 10);
  });
});
