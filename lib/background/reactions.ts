import { followFileKeys } from '../domain/dids/follow-file-keys.ts';
import { announce } from '../domain/events/announce.ts';
import { followContent } from '../domain/rules/engine/react.ts';
import { followRules } from '../domain/rules/life-cycle/react.ts';
import { matchNewDids } from '../domain/subscriptions/engine/react.ts';
import type { Reaction } from '../domain/values/reaction.ts';
import { foldUsage } from './fold-usage.ts';
import { work } from './work-reaction.ts';

/** What follows from changes of the catalogue at once. */
export const prompt: readonly Reaction[] = [announce, foldUsage, followFileKeys, followContent, followRules];

/** What may take its time: it has a consumer of its own, so that nothing else waits for it. */
export const lengthy: readonly Reaction[] = [matchNewDids, work];

/** Everything that follows from changes of the catalogue. */
export const reactions: readonly Reaction[] = [...prompt, ...lengthy];
