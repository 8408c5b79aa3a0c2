import type { ConfigSection, Configuration, ConfigValue } from '../../contract/schemas/config.ts';
import { readConfigValue } from '../../domain/config/config-value.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { RucioError } from '../../errors.ts';
import { getOptions, listOptions, listSection, type OptionKey } from '../../store/entities/config-option.ts';

/**
 * All options that are set, by section; without defaults (spec/access.md 4.1).
 *
 * @throws AccessDenied (401).
 */
export async function listConfig(context: Context): Promise<Configuration> {
  await authorize(context, 'config_sections', undefined);
  const sections = new Map<string, [string, ConfigValue][]>();
  for await (const { section, option, value } of listOptions(context.store.table)) {
    const options = sections.get(section) ?? [];
    options.push([option, readConfigValue(value)]);
    sections.set(section, options);
  }
  return Object.fromEntries([...sections].map(([section, options]) => [section, Object.fromEntries(options)]));
}

/**
 * The options of a section (spec/access.md 4.1).
 *
 * @throws AccessDenied (401); ConfigNotFound (404).
 */
export async function getConfigSection(context: Context, section: string): Promise<ConfigSection> {
  await authorize(context, 'config_has_section', { section });
  const options = await Array.fromAsync(listSection(context.store.table, section));
  if (options.length === 0) throw sectionNotFound(section);
  return Object.fromEntries(options.map(({ option, value }) => [option, readConfigValue(value)]));
}

/**
 * The value of an option (spec/access.md 4.1).
 *
 * @throws AccessDenied (401); ConfigNotFound (404).
 */
export async function getConfigOption(context: Context, key: OptionKey): Promise<ConfigValue> {
  await authorize(context, 'config_get', key);
  const [found] = await getOptions(context.store.table, [key]);
  if (found === undefined) throw optionNotFound(key);
  return readConfigValue(found.value);
}

/** ConfigNotFound (404) for a section. */
export function sectionNotFound(section: string): RucioError {
  return new RucioError('ConfigNotFound', `No configuration found for section '${section}'`);
}

/** ConfigNotFound (404) for an option. */
export function optionNotFound({ section, option }: OptionKey): RucioError {
  return new RucioError('ConfigNotFound', `No configuration found for section '${section}' option '${option}'`);
}
