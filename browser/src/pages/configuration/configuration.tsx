import { configOptions } from '../../../../lib/contract/config-options.ts';
import { getJson } from '../../api/client.ts';
import { useLoad } from '../../load.ts';
import { useRights } from '../../tasks/rights.ts';
import { TaskLinks, taskUrl } from '../../tasks/task-links.tsx';
import { PageHead, Pending, Section } from '../../ui/basics.tsx';
import { SameAs } from '../../ui/same-as.tsx';

/** An option of the table: one that Dapple knows, one that is set, or both. */
interface Row {
  readonly option: string;
  /** The present value; undefined: the default. */
  readonly value: string | undefined;
  readonly purpose: string;
  readonly values: string;
  readonly preset: string;
  /** It stands for the options of its section, which have names of their own. */
  readonly isFree: boolean;
}

/** All options of the catalogue: those that Dapple uses, with their defaults, and others that are set. */
export default function ConfigurationPage() {
  const { value, error, reload } = useLoad('config', (signal) => getJson('/config', { signal }));
  const may = useRights({})?.config_set.may ?? false;
  const rows = rowsBySection(value ?? {});
  return (
    <>
      <PageHead title="Configuration" lead="Options of the whole catalogue, by section, with their defaults." />
      <TaskLinks of={['set-option']} />
      <Pending of={{ value, error, reload }} />
      {value !== undefined &&
        [...rows].map(([section, options]) => (
          <Section key={section} heading={<bdi class="name">{section}</bdi>}>
            <Options section={section} of={options} may={may} />
          </Section>
        ))}
      <SameAs rucio="rucio config list" curl={{ path: '/config' }} />
    </>
  );
}

function Options({ section, of: options, may }: { section: string; of: readonly Row[]; may: boolean }) {
  return (
    <div class="table-frame">
      {/* Stacked rows are no table to a browser any more, so the roles are said. */}
      <table role="table" class="stacked">
        <caption class="visually-hidden">Options of {section}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {['Option', 'Value', 'What for', ...(may ? ['Change'] : [])].map((head) => (
              <th key={head} scope="col" role="columnheader">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {options.map((row) => (
            <tr key={row.option} role="row">
              <th scope="row" role="rowheader" class="name">
                <bdi>{row.option}</bdi>
              </th>
              <td role="cell">
                {row.value === undefined ? (
                  <span class="absent">default: {row.preset}</span>
                ) : (
                  <bdi class="name">{row.value}</bdi>
                )}
              </td>
              <td role="cell" class="row-lead">
                {row.purpose}
                {row.values !== '' && <div class="hint">{row.values}</div>}
              </td>
              {may && (
                <td role="cell">
                  <Change section={section} row={row} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Change({ section, row: { option, value, isFree } }: { section: string; row: Row }) {
  const name = `${section}.${option}`;
  const given = { section, ...(isFree ? {} : { option }), ...(value === undefined ? {} : { value }) };
  return (
    <div class="actions">
      <a href={taskUrl('set-option', given)} aria-label={`Set ${name}`}>
        Set
      </a>
      {value !== undefined && (
        <a href={taskUrl('unset-option', { section, option })} aria-label={`Default of ${name}`}>
          Default
        </a>
      )}
    </div>
  );
}

type Configuration = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The options by section, in the order of names. */
function rowsBySection(set: Configuration): ReadonlyMap<string, readonly Row[]> {
  const sections = [...new Set([...configOptions.map(({ section }) => section), ...Object.keys(set)])].toSorted();
  return new Map(sections.map((section) => [section, rowsOf(section, set[section] ?? {})]));
}

function rowsOf(section: string, set: Readonly<Record<string, unknown>>): readonly Row[] {
  const known = configOptions.filter((one) => one.section === section);
  const named = new Set(known.filter(({ isFree }) => isFree !== true).map(({ option }) => option));
  const rows = known.map((one) => ({
    option: one.option,
    value: one.isFree === true || set[one.option] === undefined ? undefined : String(set[one.option]),
    purpose: one.purpose,
    values: one.values,
    preset: one.default,
    isFree: one.isFree === true,
  }));
  const others = Object.entries(set)
    .filter(([option]) => !named.has(option))
    .map(([option, value]) => ({
      option,
      value: String(value),
      purpose: known.length > 0 && named.size === 0 ? '' : 'Stored for others; Dapple does nothing with it.',
      values: '',
      preset: '',
      isFree: false,
    }));
  return [...rows, ...others];
}
