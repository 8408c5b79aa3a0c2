import { describe, expect, it } from 'vitest';

import { type Call, type Moment, NotLinearizable, type Outcome, Candidates } from './linearize.ts';
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

function follow(moments: readonly Moment[]): Candidates {
  const ways = new Candidates(start);
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
  it('is linearizable in the order of the requests', () => {
    const ways = follow([...alone(call(attach, done)), ...alone(call(attach, refused('FileAlreadyExists')))]);
    ways.takeSnapshot(after(attach), now);
  });

  it('is linearizable in either order of two requests that overlap', () => {
    const [one, other] = [call(close, done), call(attach, done)];
    const ways = follow([begin(one), begin(other), end(one), end(other)]);
    ways.takeSnapshot(after(attach, close), now);
    const [first, second] = [call(close, done), call(attach, refused('UnsupportedOperation'))];
    follow([begin(second), begin(first), end(first), end(second)]).takeSnapshot(after(close), now);
  });

  it('is not linearizable if a request is refused because of its own effect', () => {
    expect(() => follow(alone(call(close, refused('UnsupportedOperation'))))).toThrow(NotLinearizable);
  });

  it('is not linearizable in an order that contradicts time', () => {
    expect(() => follow([...alone(call(close, done)), ...alone(call(attach, done))])).toThrow(NotLinearizable);
  });

  it('is not linearizable if an acknowledged change is missing, or a refused one took effect', () => {
    expect(() => follow(alone(call(attach, done))).takeSnapshot(start, now)).toThrow(NotLinearizable);
    const again = [...alone(call(attach, done)), ...alone(call(attach, refused('FileAlreadyExists')))];
    expect(() => follow(again).takeSnapshot(start, now)).toThrow(NotLinearizable);
  });

  it('is linearizable if one request sets what a concurrent one changes', () => {
    const set = (value: string): Change => ({ do: 'set', names: ['ds0'], key: 'flavour', value });
    const [down, up] = [call(set('down'), done), call(set('up'), done)];
    const ways = follow([...alone(call(set('up'), done)), begin(down), begin(up), end(down), end(up)]);
    ways.takeSnapshot(after(set('up')), now);
  });

  it('shows in a list what was so at some moment of it, DID by DID', () => {
    const see = (child: string, isThere: boolean) =>
      call({ do: 'see content', parent: 'ds0', child, asked: 'ds0' }, { done: String(isThere) });
    const bulk: Change = { do: 'attach', name: 'ds0', children: ['f0', 'f1'], register: true };
    const [one, other, write] = [see('f0', true), see('f1', false), call(bulk, done)];
    follow([begin(one), begin(other), begin(write), end(write), end(one), end(other)]);
    expect(() => follow([...alone(write), ...alone(see('f1', false))])).toThrow(NotLinearizable);
    expect(() => follow([...alone(see('f1', true)), ...alone(write)])).toThrow(NotLinearizable);
  });

  it('has no change with If-Match after another change of the DID', () => {
    const tag = call({ do: 'tag', name: 'ds0', tag: 1 }, { done: '["DATASET",true,0,0]' });
    const match = (outcome: Outcome) => call({ do: 'match', tag: 1, etag: '"1"', change: close }, outcome);
    follow([...alone(tag), ...alone(match(done))]).takeSnapshot(after(close), now);
    const changed = [...alone(tag), ...alone(call(attach, done))];
    follow([...changed, ...alone(match(refused('PreconditionFailed')))]).takeSnapshot(after(attach), now);
    expect(() => follow([...changed, ...alone(match(done))])).toThrow(NotLinearizable);
    const untold = [...changed, ...alone(match('unknown'))];
    expect(() => follow(untold).takeSnapshot(after(attach, close), now)).toThrow(NotLinearizable);
  });

  it('may end with or without an unanswered change, but not with half of it', () => {
    const bulk: Change = { do: 'attach', name: 'ds0', children: ['f0', 'f1'], register: true };
    const lost = alone(call(bulk, 'unknown'));
    follow(lost).takeSnapshot(start, now);
    follow(lost).takeSnapshot(after(bulk), now);
    expect(() => follow(lost).takeSnapshot(after(attach), now)).toThrow(NotLinearizable);
  });

  it('does not change later through a request that has ended', () => {
    const ways = follow(alone(call(attach, 'unknown')));
    ways.takeSnapshot(start, now);
    expect(() => ways.takeSnapshot(after(attach), now)).toThrow(NotLinearizable);
  });

  it.each([
    { what: 'is still under way', overAt: Infinity },
    { what: 'ended after the reading began', overAt: now + 1 },
  ])('may change later by what $what', ({ overAt }) => {
    const ways = follow(alone(call(attach, 'unknown', overAt)));
    ways.takeSnapshot(start, now);
    ways.takeSnapshot(after(attach), now + 10);
  });
});
