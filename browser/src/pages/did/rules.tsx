import { getPage, path } from '../../api/client.ts';
import type { Did } from '../../api/types.ts';
import { shellWord } from '../../format.ts';
import { placeUrl } from '../../router.ts';
import { Section } from '../../ui/basics.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { didRuleColumns, ruleColumns } from '../../ui/rule-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { InheritedRules } from './inherited-rules.tsx';

/** The rules on a DID, those of its parents, and for a file those that keep it. */
export function DidRules({ did }: { did: Did }) {
  const { scope, name, type } = did;
  const target = path('/dids/**:scope_name/rules', { did: { scope, name } });
  const associated = path('/dids/**:scope_name/associated_rules', { did: { scope, name } });
  return (
    <>
      <Section heading="Rules on this DID">
        <PagedTable
          caption="Rules on this DID"
          listKey={target}
          load={(cursor, limit, signal) => getPage(target, limit, cursor, { signal })}
          columns={didRuleColumns}
          empty={
            <>
              No rule names this DID itself. <a href={placeUrl(['new-rule'], { did: `${scope}:${name}` })}>Add one</a>.
            </>
          }
        />
        <SameAs rucio={`rucio rule list --did ${shellWord(`${scope}:${name}`)}`} curl={{ path: target }} />
      </Section>
      {type !== 'FILE' && <InheritedRules did={did} />}
      {type === 'FILE' && (
        <Section heading="Rules that keep a copy of this file">
          <PagedTable
            caption="Rules that keep a copy of this file"
            listKey={associated}
            load={(cursor, limit, signal) => getPage(associated, limit, cursor, { signal })}
            columns={ruleColumns}
            empty="No rule keeps a copy of this file."
          />
        </Section>
      )}
    </>
  );
}
