import { createConsumer } from '../lib/background/create-consumer.ts';
import { fastReactions } from '../lib/background/reactions.ts';
import { openStore } from '../lib/store/open-store.ts';

/** Runs the fast reactions on the records of the table's stream. */
export const handler = createConsumer(openStore(), fastReactions);
