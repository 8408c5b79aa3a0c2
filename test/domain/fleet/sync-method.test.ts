import { describe, expect, it } from 'vitest';

import { setConfig } from '../../../lib/operations/config/set-config.ts';
import { importFleet } from '../../../lib/operations/fleet/import-fleet.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { newFleetCatalogue } from './fleet-catalogue.ts';

describe('the configuration of imports (rses 1.30)', () => {
  it('is `edit` by default, else as set in the section `importer`', async () => {
    const catalogue = await newFleetCatalogue();
    const imports = (rses: Record<string, object>) => importFleet(catalogue.context(), { rses });
    const set = (option: string, value: string) => setConfig(catalogue.context(), { importer: { [option]: value } });
    const shown = async () =>
      Object.fromEntries(
        Object.entries(await catalogue.rses()).map(
          ([
            name,
            {
              attributes: { tier, kept },
            },
          ]) => [name, { tier, kept }],
        ),
      );
    await imports({ A: { attributes: { tier: 1, kept: 'x' } }, B: {} });
    await imports({ A: { attributes: { tier: 2 } } });
    expect(await shown()).toEqual({ A: { tier: '2', kept: 'x' }, B: {} });

    await set('attr_sync_method', 'append');
    await imports({ A: { attributes: { tier: 3, fresh: 1 } } });
    expect(await shown()).toEqual({ A: { tier: '2', kept: 'x' }, B: {} });

    await set('attr_sync_method', 'hard');
    await set('rse_sync_method', 'hard');
    await imports({ A: { attributes: { tier: 4 } } });
    expect(await shown()).toEqual({ A: { tier: '4' } });
  });

  it('is read once a minute', async () => {
    const catalogue = await newFleetCatalogue();
    await importFleet(catalogue.context(), { rses: { A: {} } });
    await importFleet(catalogue.context(), {});
    const { cost } = await measure(() => importFleet(catalogue.context(), {}));
    expect(cost).toEqual({ rru: 1, wru: 0, requests: 1, roundTrips: 1 });
  });
});
