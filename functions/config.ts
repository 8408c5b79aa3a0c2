import { config } from '../lib/contract/config.ts';
import { createHandler } from '../lib/http/handler.ts';
import { deleteConfigOption, deleteConfigSection } from '../lib/operations/config/delete-config.ts';
import { getConfigOption, getConfigSection, listConfig } from '../lib/operations/config/get-config.ts';
import { setConfig } from '../lib/operations/config/set-config.ts';

export const handler = createHandler(config, {
  listConfig,
  setConfig: (context, { body }) => setConfig(context, body),
  getConfigSection: (context, { params }) => getConfigSection(context, params.section),
  deleteConfigSection: (context, { params }) => deleteConfigSection(context, params.section),
  getConfigOption: (context, { params }) => getConfigOption(context, params),
  deleteConfigOption: (context, { params }) => deleteConfigOption(context, params),
  setConfigOption: (context, { params: { section, option, value } }) =>
    setConfig(context, { [section]: { [option]: value } }),
});
