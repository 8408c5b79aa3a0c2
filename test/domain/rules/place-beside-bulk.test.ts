import { expect, it } from 'vitest';

import { attachDids } from '../../../lib/operations/dids/attach-dids.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { openStore } from '../../../lib/store/open-store.ts';
import { type ChooseFault, newFaultyEngine } from '../../support/faulty-engine.ts';
import { ownEngine } from '../../support/run.ts';
import { data } from '../dids/catalogue.ts';
import { newRuleCatalogue } from './rule-catalogue.ts';

it('a rule locks what a bulk request attaches between its two readings of the content (replication 3.3)', async () => {
  const world = await newRuleCatalogue();
  await world.register('AAA', ['first']);
  await world.add('ds', 'DATASET');
  await world.attach('ds', ['first']);
  const engine = newFaultyEngine(await ownEngine());
  const store = openStore({ tableName: world.store.table.name, ...engine.client });

  const [staged, mayCommit, isDone] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  let hasRead = false;
  const choose: ChooseFault = (operation, input) => {
    const text = JSON.stringify(input);
    if (text.includes('"committed"')) {
      staged.resolve();
      return { kind: 'delay', until: mayCommit.promise };
    }
    if (operation === 'Query' && text.includes('D#data#ds') && text.includes('CHILD#')) hasRead = true;
    // The rule reads the dataset again before it reads the content again.
    if (operation !== 'GetItem' || !hasRead || !text.includes('"SK":{"S":"ds"}')) return undefined;
    mayCommit.resolve();
    return { kind: 'delay', until: isDone.promise };
  };
  engine.injectFaults(choose);
  const files = Array.from({ length: 40 }, (_value, index) => ({ ...data(`more${index}`), bytes: 10 }));
  const attached = attachDids(world.at(Date.now(), store), data('ds'), files, 'AAA').finally(() => isDone.resolve());
  await staged.promise;
  const wish = { dids: [data('ds')], account: null, copies: 1, rse_expression: 'AAA' };
  const [id = ''] = await addRules(world.at(Date.now(), store), wish);
  await attached;
  // The reaction to the attachment found no rule.
  expect(await world.show(id)).toBe('OK 41/0/0');
  await world.recount();
});
