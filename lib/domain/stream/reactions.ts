import { followFileKeys } from '../dids/follow-file-keys.ts';
import { announce } from '../events/announce.ts';
import { followContent } from '../rules/engine/react.ts';
import { followRules } from '../rules/life-cycle/react.ts';
import { matchNewDids } from '../subscriptions/engine/react.ts';
import { foldUsage } from '../usage/fold.ts';
import { work } from '../work/reaction.ts';
import type { Reaction } from './reaction.ts';

/** What follows from changes of the catalogue at once. */
export const prompt: readonly Reaction[] = [announce, foldUsage, followFileKeys, followContent, followRules];

/** What may take its time: it has a consumer of its own, so that nothing else waits for it. */
export const lengthy: readonly Reaction[] = [matchNewDids, work];

/** Everything that follows from changes of the catalogue. */
export const reactions: readonly Reaction[] = [...prompt, ...lengthy];
