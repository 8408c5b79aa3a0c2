import { lengthy } from '../lib/background/reactions.ts';
import { openStore } from '../lib/store/open-store.ts';
import { createConsumer } from './consume-stream.ts';

/** Runs on the records of the table's stream that say of lengthy work to be done. */
export const handler = createConsumer(openStore(), lengthy);
