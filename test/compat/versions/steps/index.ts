/** The commands that each version of the client runs, one after the other. */
import { accounts, logIns } from './accounts.ts';
import { files } from './files.ts';
import { ends, metadata } from './metadata.ts';
import { rses } from './rses.ts';
import { rules } from './rules.ts';
import type { Step } from './step.ts';

/** All commands in their order: each uses what those before it have made. */
export const steps: readonly Step[] = [...logIns, ...accounts, ...rses, ...files, ...metadata, ...rules, ...ends];
