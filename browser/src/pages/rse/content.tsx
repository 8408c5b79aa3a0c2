import { getLines, getPage, path } from '../../api/client.ts';
import type { DatasetLockLine } from '../../api/types.ts';
import { counted, exactInteger, humanBytes } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Facts, Section } from '../../ui/basics.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { AccountLink, Bytes, DidLink, RuleLink, State } from '../../ui/values.tsx';

/** Locks counted at most. */
const countedLocks = 1_000;

/** Data that rules keep on an RSE, and their share of all data there. */
export function RseContent({ rse }: { rse: string }) {
  const target = path('/locks/:rse', { rse });
  const query = { did_type: 'dataset' };
  return (
    <Section heading="Datasets that rules keep here">
      <p class="hint">
        Each dataset stays here as long as one of its rules does. The size of a dataset is fixed when it is closed.
        Files without a rule may be here, too: see{' '}
        <a href={placeUrl(['rse', rse], { tab: 'replicas' })}>all replicas</a>.
      </p>
      <Numbers rse={rse} />
      <PagedTable
        caption="Datasets that rules keep on this RSE"
        listKey={target}
        load={(cursor, limit, signal) => getPage(target, limit, cursor, { query, signal })}
        columns={[
          { head: 'State', cell: (lock) => <State of={lock.state} />, tight: true, sortBy: (lock) => lock.state },
          {
            head: 'Dataset',
            cell: (lock) => <DidLink scope={lock.scope} name={lock.name} />,
            lead: true,
            fill: true,
            sortBy: (lock) => lock.name,
          },
          { head: 'Size', cell: (lock) => <Size of={lock} />, number: true, sortBy: (lock) => lock.bytes },
          { head: 'Rule', cell: (lock) => <RuleLink id={lock.rule_id} />, wide: true, tight: true },
          {
            head: 'Account',
            cell: (lock) => <AccountLink account={lock.account} />,
            wide: true,
            sortBy: (lock) => lock.account,
          },
        ]}
        empty={
          <>
            No rule keeps a dataset here. Files without a rule may be here nevertheless: see{' '}
            <a href={placeUrl(['rse', rse], { tab: 'replicas' })}>all replicas</a>.
          </>
        }
      />
      <SameAs curl={{ path: target, query: { ...query, limit: 100 } }} />
    </Section>
  );
}

function Size({ of: { bytes } }: { of: DatasetLockLine }) {
  return bytes === null ? <span class="absent">still open</span> : <Bytes of={bytes} />;
}

function Numbers({ rse }: { rse: string }) {
  const { value } = useLoad(`content ${rse}`, async (signal) => {
    const query = { did_type: 'dataset' };
    const [usage, locks] = await Promise.all([
      getLines(path('/rses/:rse/usage', { rse }), { query: { source: 'rucio' }, signal }),
      getPage(path('/locks/:rse', { rse }), countedLocks, undefined, { query, signal }),
    ]);
    return { usage: usage[0], locks };
  });
  if (value === undefined) return null;
  const { usage, locks } = value;
  const nameDatasets = (of: readonly DatasetLockLine[]) => new Set(of.map(({ scope, name }) => `${scope}:${name}`));
  const datasets = nameDatasets(locks.rows);
  const incomplete = nameDatasets(locks.rows.filter(({ state }) => state !== 'OK'));
  const more = locks.next === undefined ? '' : 'more than ';
  return (
    <Facts
      of={[
        ['Kept by rules', `${more}${counted(datasets.size, 'dataset')}`],
        ['Of these not complete', `${more}${exactInteger(incomplete.size)}`],
        [
          'All replicas, kept or not, with copies under way',
          `${counted(usage?.files ?? 0, 'file')}, ${humanBytes(usage?.used ?? 0)}`,
        ],
      ]}
    />
  );
}
