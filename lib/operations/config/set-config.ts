import { forgetOptions } from '../../domain/config/options.ts';
import { configText } from '../../domain/config/value.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { pythonText } from '../../domain/values/python-text.ts';
import { fail } from '../../errors.ts';
import {
  type ConfigOption,
  getOptions,
  isOptionKey,
  type OptionKey,
  putOption,
} from '../../store/entities/config-option.ts';

/** What Rucio's database takes, in characters, and how many options one request may set. */
const most = { name: 128, value: 4000, options: 1000 };

/** Values by section and option, as they came. */
type NewConfiguration = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Sets options, all or none of them (spec/access.md 4.1, 4.2). Who sets nothing is not asked for permission, as in Rucio.
 *
 * @throws ConfigurationError (400) for what cannot be kept; AccessDenied (401).
 */
export async function setConfig(context: Context, configuration: NewConfiguration): Promise<void> {
  const wanted = Object.entries(configuration).flatMap(([section, options]) =>
    Object.entries(options).map(([option, value]) => newOption({ section, option }, value)),
  );
  if (wanted.length > most.options) fail('ConfigurationError', `At most ${most.options} options can be set at once`);
  const [first] = wanted;
  if (first === undefined) return;
  await authorize(context, 'config_set', first);
  await context.store.write(async (latest) => {
    const former = new Map((await getOptions(latest, wanted)).map((option) => [nameOf(option), option]));
    return wanted
      .filter((option) => former.get(nameOf(option))?.value !== option.value)
      .map((option) => putOption(option, former.get(nameOf(option)), context.now));
  });
  forgetOptions(context.store.table);
}

const nameOf = ({ section, option }: OptionKey) => JSON.stringify([section, option]);

function newOption(key: OptionKey, value: unknown): ConfigOption {
  const text = configText(value);
  const fits = isWithin(key.section, most.name) && isWithin(key.option, most.name) && isOptionKey(key);
  if (text !== undefined && fits && isWithin(text, most.value)) return { ...key, value: text };
  const [shown, section, option] = [pythonText(value), key.section, key.option].map((part) => part.slice(0, 200));
  return fail('ConfigurationError', `Could not set value '${shown}' for section '${section}' option '${option}'`);
}

/** Whether a text has no more characters than that, as the database counts them. */
function isWithin(text: string, longest: number): boolean {
  return text.length <= longest || (text.length <= 2 * longest && Array.from(text).length <= longest);
}
