import { followContent } from '../rules/engine/react.ts';
import { followRules } from '../rules/life-cycle/react.ts';
import { announce } from '../events/announce.ts';
import { foldUsage } from '../usage/fold.ts';
import { work } from '../work/reaction.ts';
import type { Reaction } from './reaction.ts';

/** Everything that follows from changes of the catalogue. */
export const reactions: readonly Reaction[] = [announce, foldUsage, followContent, followRules, work];
