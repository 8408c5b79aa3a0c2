import type { GlobalPart, ScopePart } from '../source.ts';
import { accountParts } from './accounts.ts';
import { didParts } from './dids.ts';
import { otherParts } from './others.ts';
import { rseParts } from './rses.ts';
import { ruleParts } from './rules.ts';

/** The parts of the whole catalogue, in the order in which they are compared. */
export const globalParts: readonly GlobalPart[] = [...accountParts, ...rseParts, ...otherParts];

/** The parts that are compared scope by scope. */
export const scopeParts: readonly ScopePart[] = [...didParts, ...ruleParts];

/** The names of all parts. */
export const partNames: readonly string[] = [...globalParts, ...scopeParts].map(({ name }) => name);
