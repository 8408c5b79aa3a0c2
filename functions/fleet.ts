import { fleet } from '../lib/contract/fleet.ts';
import { createHandler } from '../lib/http/handler.ts';
import { exportFleet } from '../lib/operations/fleet/export-fleet.ts';
import { importFleet } from '../lib/operations/fleet/import-fleet.ts';

export const handler = createHandler(fleet, {
  exportFleet: (context, { query }) => exportFleet(context, query),
  importFleet: (context, { body }) => importFleet(context, body),
});
