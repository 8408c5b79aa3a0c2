import { group } from './route.ts';
import { configOption, configSection, configuration, newConfiguration } from './schemas/config.ts';

const json = 'application/json';

/** Configuration: options in sections (spec/interface.md 4.6, spec/access.md 4). */
export const config = group('config', ['/config'], {
  listConfig: {
    method: 'GET',
    path: '/config',
    summary: 'Every section with its options',
    permission: 'config_sections',
    accept: json,
    answer: { kind: 'json', compact: true, schema: configuration },
    errors: { AccessDenied: 401 },
  },
  setConfig: {
    method: 'POST',
    path: '/config',
    summary: 'Set options, all or none of them; those that do not exist are created',
    permission: 'config_set',
    body: { schema: newConfiguration, json: 'dictionary', name: 'config' },
    answer: { kind: 'created' },
    errors: { ConfigurationError: 400, AccessDenied: 401 },
  },
  getConfigSection: {
    method: 'GET',
    path: '/config/:section',
    summary: 'The options of a section',
    permission: 'config_has_section',
    accept: json,
    answer: { kind: 'json', compact: true, schema: configSection },
    errors: { AccessDenied: 401, ConfigNotFound: 404 },
  },
  deleteConfigSection: {
    method: 'DELETE',
    path: '/config/:section',
    summary: 'Delete a section with all its options',
    permission: 'config_has_section',
    answer: { kind: 'empty' },
    errors: { AccessDenied: 401, ConfigNotFound: 404 },
  },
  getConfigOption: {
    method: 'GET',
    path: '/config/:section/:option',
    summary: 'The value of an option',
    permission: 'config_get',
    resource: 'option',
    accept: json,
    answer: { kind: 'json', compact: true, schema: configOption },
    errors: { AccessDenied: 401, ConfigNotFound: 404 },
  },
  deleteConfigOption: {
    method: 'DELETE',
    path: '/config/:section/:option',
    summary: 'Delete an option; a section disappears with its last option',
    permission: 'config_has_option',
    resource: 'option',
    answer: { kind: 'empty' },
    errors: { AccessDenied: 401, ConfigNotFound: 404 },
  },
  setConfigOption: {
    method: 'PUT',
    path: '/config/:section/:option/:value',
    summary: 'Set an option; one that does not exist is created',
    permission: 'config_set',
    resource: 'option',
    answer: { kind: 'created' },
    errors: { ConfigurationError: 400, AccessDenied: 401 },
  },
});
