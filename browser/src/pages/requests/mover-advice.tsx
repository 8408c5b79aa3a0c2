import { shellWord } from '../../format.ts';
import { Command } from '../../ui/same-as.tsx';

/** How to get the files of an RSE copied: by a mover that comes with Dapple, or by another one. */
export function MoverAdvice({ rse, isSet }: { rse: string; isSet: boolean }) {
  return (
    <details>
      <summary>What to do</summary>
      <ul class="plain-list">
        {!isSet && (
          <li>
            Let Dapple copy: give the RSE the attribute <code>mover</code>. The value is <code>webdav</code>,{' '}
            <code>s3</code> or <code>fts</code> between storages on the network, <code>posix</code> between folders of a
            laptop.
            <Command name="rucio" text={`rucio rse attribute set ${shellWord(rse)} --key mover --value webdav`} />
          </li>
        )}
        <li>
          When deployed, movers are off unless the stack has the option <code>movers</code>; a laptop always runs them.
          <Command name="npm" text="npm run deploy -- -c movers=on" />
        </li>
        <li>
          Or run a mover of your own. It <a href="../docs/#/leaseRequests">takes transfers</a> and{' '}
          <a href="../docs/#/reportRequests">reports</a> what has arrived.
        </li>
        <li>
          All about it is in <code>docs/how-to/move-data.md</code> of Dapple’s sources.
        </li>
      </ul>
    </details>
  );
}
