import { fleet } from '../lib/contract/fleet.ts';
import { exportFleet } from '../lib/domain/fleet/export-fleet.ts';
import { importFleet } from '../lib/domain/fleet/import-fleet.ts';
import { createHandler } from '../lib/http/handler.ts';

export const handler = createHandler(fleet, {
  exportFleet: (context, { query }) => exportFleet(context, query),
  importFleet: (context, { body }) => importFleet(context, body),
});
