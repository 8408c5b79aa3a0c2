import { setClientDefaults } from '../../../lib/store/items/client.ts';
import { createRequestHandler } from '../../../local/engine/src/request-handler.ts';
import type { Input } from '../../../local/engine/src/testing/faults.ts';
import type { Answer } from '../../../local/engine/src/transport.ts';

/** Sends a request of this instance to the table; a parameter of the evaluated bundle. */
declare const instanceSend: (operation: string, input: Input) => Promise<Answer>;

/** The time of the server that has the table; a parameter as well. */
declare const serverTime: () => number;

const handler = createRequestHandler({
  send: (operation, body) => instanceSend(operation, JSON.parse(body) as Input),
  sendInput: (operation, input) => instanceSend(operation, input as Input),
});

/** A server tells its time to the second. */
const dateOf = (time: number) => new Date(time).toUTCString();

// Must run before the modules of functions, since some open the store when they are evaluated.
setClientDefaults({
  endpoint: { protocol: 'http:', hostname: 'dynamodb.simulated', path: '/' },
  requestHandler: {
    ...handler,
    tellsTime: true,
    handle: async (request: Parameters<typeof handler.handle>[0]) => {
      const { response } = await handler.handle(request);
      response.headers['date'] = dateOf(serverTime());
      return { response };
    },
  },
  signer: { sign: async (request) => request },
});

/** Says that this module has been evaluated. */
export const isConnected = true;
