import { type ClientOptions, setClientDefaults } from '../../../lib/store/items/client.ts';

/** The client options of this instance; a parameter of the evaluated bundle. */
declare const instanceClient: ClientOptions;

// Must run before the modules of functions, since some open the store when they are evaluated.
setClientDefaults(instanceClient);

/** Says that this module has been evaluated. */
export const isConnected = true;
