import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';

import { consumeChanges } from '../../lib/background/consume-changes.ts';
import type { AnonymousContext } from '../../lib/domain/values/context.ts';
import { unavailable } from '../../lib/errors.ts';
import { log } from '../../lib/log.ts';
import { Contended } from '../../lib/store/items/plan.ts';
import type { TableChange } from '../../lib/store/stream/change.ts';

let warnings: MockInstance;
let errors: MockInstance;

beforeEach(() => {
  warnings = vi.spyOn(log, 'warn').mockReturnValue();
  errors = vi.spyOn(log, 'error').mockReturnValue();
});
afterEach(() => {
  warnings.mockRestore();
  errors.mockRestore();
});

const changes: TableChange[] = [{ kind: 'rseUsage', rseId: 'x' }];
const consumeWith = (error: Error) => {
  const run = async () => {
    throw error;
  };
  return consumeChanges({} as AnonymousContext, changes, [{ name: 'fold usage', kinds: ['rseUsage'], run }]);
};

describe('a failing reaction to changes', () => {
  it('gets the changes again after a conflict, which is no error', async () => {
    await expect(consumeWith(unavailable(new Contended('a transaction met others')))).rejects.toThrow('again');
    expect(errors).not.toHaveBeenCalled();
    expect(warnings).toHaveBeenCalledWith('a reaction to changes has to wait', {
      reaction: 'fold usage',
      changes: 1,
      because: 'a transaction met others',
    });
  });

  it('is logged as an error with its reason otherwise', async () => {
    const error = new Error('broken');
    await expect(consumeWith(error)).rejects.toThrow('again');
    expect(errors).toHaveBeenCalledWith('a reaction to changes failed', { reaction: 'fold usage', changes: 1, error });
    expect(warnings).not.toHaveBeenCalled();
  });
});
