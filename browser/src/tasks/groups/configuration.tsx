import { configOptions } from '../../../../lib/contract/config-options.ts';
import { path, prepare } from '../../api/client.ts';
import { shellWord } from '../../format.ts';
import { placeUrl } from '../../router.ts';
import { task, type Tasks } from '../task.ts';

const fields = [
  { name: 'section', label: 'Section', required: true, placeholder: 'events' },
  { name: 'option', label: 'Option', required: true, placeholder: 'kept_hours' },
] as const;

const show = () => ['Show the configuration', placeUrl(['configuration'])] as const;

const configuration: Tasks = {
  'set-option': task({
    about: 'An option holds for the whole catalogue, within a minute.',
    button: 'Set the option',
    fields: [...fields, { name: 'value', label: 'Value', required: true }],
    effect: ({ section, option, value }) => (
      <>
        <p>
          <bdi class="name">
            {section}.{option}
          </bdi>{' '}
          is <bdi class="name">{value}</bdi> for everybody.
        </p>
        <Meaning section={section} option={option} />
      </>
    ),
    requests: ({ section, option, value }) => [
      prepare('POST', '/config', { [section.trim()]: { [option.trim()]: value } }),
    ],
    rucio: ({ section, option, value }) => [
      `rucio config set --section ${shellWord(section)} --key ${shellWord(option)} --value ${shellWord(value)}`,
    ],
    result: show,
  }),
  'unset-option': task({
    about: 'The option has its default again, within a minute.',
    button: 'Delete the option',
    fields: [...fields],
    effect: ({ section, option }) => <Meaning section={section} option={option} />,
    requests: ({ section, option }) => [
      prepare('DELETE', path('/config/:section/:option', { section: section.trim(), option: option.trim() })),
    ],
    rucio: ({ section, option }) => [`rucio config unset --section ${shellWord(section)} --key ${shellWord(option)}`],
    result: show,
  }),
};
export default configuration;

function Meaning({ section, option }: { section: string; option: string }) {
  const known = configOptions.find(
    (one) => one.section === section.trim() && (one.isFree === true || one.option === option.trim()),
  );
  if (known === undefined) return <p class="hint">Dapple stores this option for others, and does nothing with it.</p>;
  return (
    <p class="hint">
      It is for: {known.purpose}. Values: {known.values}. Default: {known.default}. Dapple does not refuse another
      value: it counts as the default.
    </p>
  );
}
