import type { Section } from '../section.ts';
import { accountSections } from './accounts.ts';
import { contentSections } from './contents.ts';
import { didSections } from './dids.ts';
import { rseSections } from './rses.ts';
import { ruleSections } from './rules.ts';
import { subscriptionSections } from './subscriptions.ts';

/** All sections in the order in which they are taken: the locks of rules are known once the files are. */
export const sections: readonly Section[] = [
  ...accountSections,
  ...rseSections,
  ...didSections,
  ...contentSections,
  ...ruleSections,
  ...subscriptionSections,
];
