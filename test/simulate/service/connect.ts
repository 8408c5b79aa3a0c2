import { type ClientOptions, setClientDefaults } from '../../../lib/store/items/client.ts';

/** How this instance reaches the table; whoever evaluates the bundle hands it in. */
declare const instanceClient: ClientOptions;

// Before the modules of functions are evaluated, since some open the store at once.
setClientDefaults(instanceClient);

/** Says that this module has been evaluated. */
export const isConnected = true;
