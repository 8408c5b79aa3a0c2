import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { configKeys, configOptionOf } from '../keys/config-keys.ts';
import { isSortKey } from '../keys/key-parts.ts';

/** Identifies an option. */
export interface OptionKey {
  readonly section: string;
  readonly option: string;
}

/** An option of the configuration. */
export interface ConfigOption extends OptionKey {
  /** As it was set. */
  readonly value: string;
}

/** Whether an option of that name fits into a key. */
export function isOptionKey({ section, option }: OptionKey): boolean {
  return isSortKey(configKeys.option(section, option).SK);
}

/** All options, section by section. */
export function listOptions(table: Table): AsyncGenerator<ConfigOption> {
  return table.query({ pk: configKeys.partition }, fromItem);
}

/** The options of a section. */
export async function* listSection(table: Table, section: string): AsyncGenerator<ConfigOption> {
  if (!isOptionKey({ section, option: '' })) return;
  for await (const item of table.query({ pk: configKeys.partition, ...configKeys.section(section) }))
    yield fromItem(item);
}

/** The options of these names; those that do not exist are left out. */
export async function getOptions(table: Table, wanted: readonly OptionKey[]): Promise<ConfigOption[]> {
  const possible = wanted.filter(isOptionKey);
  return (await table.getMany(possible.map(({ section, option }) => configKeys.option(section, option)))).map(fromItem);
}

/**
 * The write that sets an option.
 *
 * @param former The current option; undefined if there is none of that name.
 */
export function putOption(wanted: ConfigOption, former: ConfigOption | undefined, now: number): Insert | Change {
  const { section, option, value } = wanted;
  const key = configKeys.option(section, option);
  const set = { value, updatedAt: now };
  return former === undefined
    ? { kind: 'insert', item: { ...key, ...set }, onExists: () => makeRaceError(wanted) }
    : { kind: 'change', key, patch: { set, add: { rev: 1 } }, onMismatch: () => makeRaceError(wanted) };
}

/** The write that deletes an option. */
export function deleteOption(former: OptionKey): Change {
  const key = configKeys.option(former.section, former.option);
  return { kind: 'change', key, patch: { delete: true }, onMismatch: () => makeRaceError(former) };
}

function makeRaceError({ section, option }: OptionKey): LostRace {
  return new LostRace(`the option ${option} of ${section} was created or deleted concurrently`);
}

function fromItem(item: Item): ConfigOption {
  return { ...configOptionOf(item), value: String(item['value']) };
}
