import type { DidKey } from '../../../contract/schemas/did.ts';
import { forEachLimited } from '../../../parallel.ts';
import { getCollections } from '../../../store/entities/did.ts';
import { changesOf } from '../../../store/stream/change.ts';
import { readOption } from '../../config/read-option.ts';
import { formatDid } from '../../values/format-did.ts';
import type { Reaction } from '../../values/reaction.ts';
import { listActiveSubscriptions, markProcessed } from './active-subscriptions.ts';
import { applyMatch } from './apply-match.ts';
import { CheckedTerms } from './checked-terms.ts';
import { mayMatch } from './may-match.ts';
import { requiresMatch } from './newness.ts';

/** The most collections that are matched, and subscriptions that are updated, in parallel. */
const maxParallel = 8;

/** The reaction that matches new collections against the subscriptions (spec/access.md 3.7), as Rucio's transmogrifier. */
export const matchNewDids: Reaction = {
  name: 'match new DIDs',
  kinds: ['did'],
  async run({ store, now }, changes) {
    const table = store.table.latest();
    const closingCounts = await readOption(table, 'subscriptions', 'reevaluate_dids_at_close');
    const wanted = new Map<string, DidKey>();
    for (const change of changesOf('did', changes)) {
      const { after } = change;
      if (after !== undefined && requiresMatch(change, closingCounts)) wanted.set(formatDid(after), after);
    }
    if (wanted.size === 0) return;
    const subscriptions = await listActiveSubscriptions(table, now);
    if (subscriptions.length === 0) return;
    const context = { store, now, checked: new CheckedTerms() };
    await forEachLimited(await getCollections(table, [...wanted.values()]), maxParallel, async (did) => {
      for (const active of subscriptions) if (mayMatch(active, did)) await applyMatch(context, { active, did });
    });
    await forEachLimited(subscriptions, maxParallel, ({ subscription }) => markProcessed(store, subscription, now));
  },
};
