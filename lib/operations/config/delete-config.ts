import { invalidateOptions } from '../../domain/config/read-option.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { deleteOption, getOptions, listSection, type OptionKey } from '../../store/entities/config-option.ts';
import { optionNotFound, sectionNotFound } from './get-config.ts';

/**
 * Deletes a section with all its options, or none of them (spec/access.md 4.1).
 *
 * @throws AccessDenied (401); ConfigNotFound (404).
 */
export async function deleteConfigSection(context: Context, section: string): Promise<void> {
  await authorize(context, 'config_has_section', { section });
  await context.store.write(async (latest) => {
    const options = await Array.fromAsync(listSection(latest, section));
    if (options.length === 0) throw sectionNotFound(section);
    return options.map(deleteOption);
  });
  invalidateOptions(context.store.table);
}

/**
 * Deletes an option (spec/access.md 4.1).
 *
 * @throws AccessDenied (401); ConfigNotFound (404).
 */
export async function deleteConfigOption(context: Context, key: OptionKey): Promise<void> {
  await authorize(context, 'config_has_option', key);
  await context.store.write(async (latest) => {
    const [found] = await getOptions(latest, [key]);
    if (found === undefined) throw optionNotFound(key);
    return [deleteOption(found)];
  });
  invalidateOptions(context.store.table);
}
