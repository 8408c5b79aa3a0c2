import { followFileKeys } from '../domain/dids/follow-file-keys.ts';
import { announce } from '../domain/events/announce.ts';
import { freeBadReplicas } from '../domain/replicas/free-bad.ts';
import { followSources } from '../domain/requests/follow-sources.ts';
import { followContent } from '../domain/rules/engine/follow-content.ts';
import { followRules } from '../domain/rules/life-cycle/follow-rules.ts';
import { matchNewDids } from '../domain/subscriptions/engine/match-new-dids.ts';
import type { Reaction } from '../domain/values/reaction.ts';
import { foldUsage } from './fold-usage.ts';
import { keepPastTransfers } from './keep-past-transfers.ts';
import { packChangedFleet } from './pack-fleet.ts';
import { workReaction } from './work-reaction.ts';

/** Fast reactions to changes of the catalogue. */
export const fastReactions: readonly Reaction[] = [
  announce,
  foldUsage,
  followFileKeys,
  followContent,
  followRules,
  followSources,
  freeBadReplicas,
  keepPastTransfers,
  packChangedFleet,
];

/** Slow reactions, on a separate consumer so they never delay the others. */
export const slowReactions: readonly Reaction[] = [matchNewDids, workReaction];

/** All reactions to changes of the catalogue. */
export const reactions: readonly Reaction[] = [...fastReactions, ...slowReactions];
