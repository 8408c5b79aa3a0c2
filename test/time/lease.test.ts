import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { Lease } from '../../lib/store/items/lease.ts';

/** What the machine says how long it runs. */
function letMachineRunFor(seconds: number): void {
  const { uptime } = os;
  vi.spyOn(os, 'uptime').mockImplementation(() => uptime() + seconds);
  syncBuiltinESMExports();
}

describe('a lease', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it('ends while the machine sleeps, although its wall clock stands still', () => {
    const lease = new Lease(60_000);
    expect(lease.isOver).toBe(false);
    letMachineRunFor(62);
    expect(lease.isOver).toBe(true);
  });
});
