import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { beforeAll, describe, expect, it } from 'vitest';

import type { EventMessage } from '../../../lib/contract/schemas/event.ts';
import { bootstrapRoot } from '../../../lib/domain/accounts/bootstrap.ts';
import { invalidateOptions } from '../../../lib/domain/config/read-option.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { setConfig } from '../../../lib/operations/config/set-config.ts';
import { followEvents, type Following } from '../../../lib/operations/events/follow-events.ts';
import { appendEntry, packEntry } from '../../../lib/store/entities/event.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { newTestStore } from '../../support/store.ts';

let store: Store;
const hour = 3_600_000;

const context = (): Context => ({
  store: store.begin(),
  now: Date.now(),
  issuer: { account: 'root', identity: 'root' },
});
const textOf = (name: string) =>
  JSON.stringify({ type: 'CREATE_DTS', subject: `data:${name}`, data: { scope: 'data' } });
const append = (...names: string[]) =>
  store.write((latest) => appendEntry(latest, packEntry(names.map(textOf)), { lifetimeMs: hour }));
const follow = async (more: Partial<Following['wish']> = {}, rest: Partial<Following> = {}) => {
  const wish = { since: Date.now() - hour, type: [], scope: undefined, subject: undefined, follow: false, ...more };
  const { lastEventId, deadline } = { lastEventId: undefined, deadline: undefined, ...rest };
  return (await Array.fromAsync(await followEvents(context(), { wish, lastEventId, deadline }))).flat();
};
const subjects = (messages: readonly EventMessage[]) =>
  messages.flatMap((message) =>
    'text' in message ? (JSON.parse(message.text) as { subject: string }).subject.replace('data:', '') : [],
  );

beforeAll(async () => {
  store = await newTestStore();
  await bootstrapRoot(store, { username: 'root', password: 'secret' });
});

describe('following events', () => {
  it('of an empty catalogue ends, or starts with the first event', async () => {
    expect(await follow()).toEqual([]);
    const wish = { since: undefined, type: [], follow: true };
    const listen = (lastEventId?: string) =>
      followEvents(context(), { wish, lastEventId, deadline: Date.now() + 60_000 });
    const first = await listen();
    const [told] = (await first.next()).value as EventMessage[];
    await first.return(undefined);
    const again = await listen(told?.place);
    expect((await again.next()).value).toEqual([told]);
    await again.return(undefined);
    const later = await listen();
    await later.next();
    expect((await later.next()).value).toEqual([]);
    await append('a', 'b');
    expect(subjects((await later.next()).value as EventMessage[])).toEqual(['a', 'b']);
    await later.return(undefined);
    // A reader that was disconnected during the first events gets them.
    const back = await listen(told?.place);
    await back.next();
    expect(subjects((await back.next()).value as EventMessage[])).toEqual(['a', 'b']);
    await back.return(undefined);
  });

  it('continues after a position in the middle of a batch, also without later events', async () => {
    const [first] = await follow();
    expect(subjects(await follow({}, { lastEventId: first?.place }))).toEqual(['b']);
  });

  it('ends before the deadline of the answer', async () => {
    const begun = Date.now();
    expect(subjects(await follow({ follow: true }, { deadline: begun + 6_000 }))).toEqual(['a', 'b']);
    expect(Date.now()).toBeLessThan(begun + 6_000);
  });

  it('costs one unit per poll without events', async () => {
    const events = await followEvents(context(), {
      wish: { since: undefined, type: [], follow: true },
      lastEventId: undefined,
      deadline: Date.now() + 60_000,
    });
    await events.next();
    const { cost } = await measure(() => events.next());
    await events.return(undefined);
    expect(cost).toMatchObject({ rru: 1, wru: 0, requests: 1 });
  });

  it('refuses a position whose events may have expired; the retention is an option', async () => {
    const old = `${Date.now() - 2 * hour}.0`;
    expect(subjects(await follow({}, { lastEventId: old }))).toEqual(['a', 'b']);
    await setConfig(context(), { events: { kept_hours: 1 } });
    invalidateOptions(store.table);
    await expect(follow({}, { lastEventId: old })).rejects.toThrow(`The events after ${old} are not kept any more`);
  });

  it.each([1, 10, 1_000])('packs %d events into no more than gzip does', (count) => {
    const texts = Array.from({ length: count }, (_value, at) => textOf(randomBytes(at % 20).toString('hex')));
    const [packed, gzipped] = [packEntry(texts), gzipSync(texts.join('\n'))];
    expect(packed.length).toBeLessThanOrEqual(gzipped.length);
  });
});
