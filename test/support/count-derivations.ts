import { createHook } from 'node:async_hooks';

/** Counts the keys that Node.js derives by scrypt until it is stopped. */
export function countDerivations(): { count(): number; stop(): number } {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'SCRYPTREQUEST') count += 1;
    },
  }).enable();
  return {
    count: () => count,
    stop: () => {
      hook.disable();
      return count;
    },
  };
}
