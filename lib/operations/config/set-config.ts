import { toConfigText } from '../../domain/config/config-value.ts';
import { invalidateOptions } from '../../domain/config/read-option.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { pythonText } from '../../python/text.ts';
import {
  type ConfigOption,
  getOptions,
  isOptionKey,
  type OptionKey,
  putOption,
} from '../../store/entities/config-option.ts';

/** The column lengths of Rucio's database in characters, and our limit of options per request. */
const limits = { nameLength: 128, valueLength: 4000, options: 1000 };

/** Values by section and option, as in the request. */
type NewConfiguration = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Sets options, all or none of them (spec/access.md 4.1, 4.2). An empty request needs no permission, as in Rucio.
 *
 * @throws ConfigurationError (400) for values that cannot be stored; AccessDenied (401).
 */
export async function setConfig(context: Context, configuration: NewConfiguration): Promise<void> {
  const wanted = Object.entries(configuration).flatMap(([section, options]) =>
    Object.entries(options).map(([option, value]) => newOption({ section, option }, value)),
  );
  if (wanted.length > limits.options)
    fail('ConfigurationError', `At most ${limits.options} options can be set at once`);
  const [first] = wanted;
  if (first === undefined) return;
  await authorize(context, 'config_set', first);
  await context.store.write(async (latest) => {
    const former = new Map((await getOptions(latest, wanted)).map((option) => [nameOf(option), option]));
    return wanted
      .filter((option) => former.get(nameOf(option))?.value !== option.value)
      .map((option) => putOption(option, former.get(nameOf(option)), context.now));
  });
  invalidateOptions(context.store.table);
}

const nameOf = ({ section, option }: OptionKey) => JSON.stringify([section, option]);

function newOption(key: OptionKey, value: unknown): ConfigOption {
  const text = toConfigText(value);
  const fits = isWithin(key.section, limits.nameLength) && isWithin(key.option, limits.nameLength) && isOptionKey(key);
  if (text !== undefined && fits && isWithin(text, limits.valueLength)) return { ...key, value: text };
  const [shown, section, option] = [pythonText(value), key.section, key.option].map((part) => part.slice(0, 200));
  return fail('ConfigurationError', `Could not set value '${shown}' for section '${section}' option '${option}'`);
}

/** Whether a text has at most so many code points, which is how the database counts. */
function isWithin(text: string, maxLength: number): boolean {
  return text.length <= maxLength || (text.length <= 2 * maxLength && Array.from(text).length <= maxLength);
}
