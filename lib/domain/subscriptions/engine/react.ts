import type { DidKey } from '../../../contract/schemas/did.ts';
import { forEachLimited } from '../../../parallel.ts';
import { getDids } from '../../../store/entities/did.ts';
import { changesOf } from '../../../store/stream/change.ts';
import { readOption } from '../../config/options.ts';
import { formatDid } from '../../values/format-did.ts';
import type { Reaction } from '../../values/reaction.ts';
import { listActive, stampProcessed } from './active.ts';
import { applyMatch } from './apply.ts';
import { CheckedTerms } from './checked-terms.ts';
import { mayMatch } from './may-match.ts';
import { asksForMatch } from './newness.ts';

/** Collections that are matched at once, and subscriptions that are stamped at once. */
const parallel = 8;

/** What subscriptions do when collections are new (spec/access.md 3.7): Rucio's transmogrifier. */
export const matchNewDids: Reaction = {
  name: 'match new DIDs',
  kinds: ['did'],
  async run({ store, now }, changes) {
    const table = store.table.latest();
    const closingCounts = await readOption(table, 'subscriptions', 'reevaluate_dids_at_close');
    const wanted = new Map<string, DidKey>();
    for (const change of changesOf('did', changes)) {
      const { after } = change;
      if (after !== undefined && asksForMatch(change, closingCounts)) wanted.set(formatDid(after), after);
    }
    if (wanted.size === 0) return;
    const subscriptions = await listActive(table, now);
    if (subscriptions.length === 0) return;
    const context = { store, now, checked: new CheckedTerms() };
    await forEachLimited(await getDids(table, [...wanted.values()]), parallel, async (did) => {
      for (const active of subscriptions) if (mayMatch(active, did)) await applyMatch(context, { active, did });
    });
    await forEachLimited(subscriptions, parallel, ({ subscription }) => stampProcessed(store, subscription, now));
  },
};
