import type { Patch } from '../items/item.ts';
import { type Change, Collision, type Insert, LostRace, type Write } from '../items/plan.ts';
import { type RuleIdentity, ruleKeys } from '../keys/rule-keys.ts';
import type { NewRule, Rule, RulePlace } from './rule.ts';

/**
 * The writes that insert a rule and the pointers to it.
 *
 * @param onDuplicate Makes the error if the DID already has a rule of the same identity.
 * @param predecessor The rule whose identity it takes over; the caller notes the successor there.
 */
export function insertRule(rule: NewRule, onDuplicate: () => Error, predecessor?: Rule): Write[] {
  const { id, did, createdAt, subscriptionId } = rule;
  const makeDuplicateIdError = () => new Error(`the rule id ${id} was given twice`);
  const item = { ...ruleKeys.rule(id), ...ruleKeys.ruleOfAccount(rule.account, createdAt, id), ...attributesOf(rule) };
  return [
    { kind: 'insert', item, onExists: makeDuplicateIdError },
    ...(predecessor === undefined
      ? [{ kind: 'insert', item: { ...ruleKeys.pointer(did, rule), id }, onExists: onDuplicate } as const]
      : handIdentity(predecessor, { ...predecessor, successor: id }, rule, onDuplicate)),
    ...(subscriptionId === undefined ? [] : [insertOfSubscription(subscriptionId, rule, makeDuplicateIdError)]),
  ];
}

/** The writes by which a rule leaves its identity to another one, and gets that of `after`. */
function handIdentity(
  before: Rule,
  after: Rule,
  heir: RuleIdentity & { readonly id: string },
  onMismatch: () => Error,
) {
  const { id, did } = before;
  const item = { ...ruleKeys.pointer(did, after), id };
  return [
    { kind: 'change', key: ruleKeys.pointer(did, heir), patch: { set: { id: heir.id } }, when: { id }, onMismatch },
    { kind: 'insert', item, onExists: onMismatch },
  ] as const;
}

function insertOfSubscription(subscriptionId: string, { createdAt, id }: RulePlace, onExists: () => Error): Insert {
  return { kind: 'insert', item: { ...ruleKeys.ofSubscription(subscriptionId, createdAt, id) }, onExists };
}

/** The write that changes a rule, by default unconditionally; {@link requireSettledRule} makes an optimistic lock. */
export function changeRule(
  id: string,
  patch: Patch,
  { when, onMismatch }: { readonly when?: Change['when']; readonly onMismatch?: () => Error } = {},
): Change {
  return {
    kind: 'change',
    key: ruleKeys.rule(id),
    patch: { ...patch, add: { ...patch.add, rev: 1 } },
    ...(when === undefined ? {} : { when }),
    onMismatch: onMismatch ?? (() => new LostRace(`rule ${id} was changed concurrently`)),
  };
}

/**
 * For a decision that must not overlap with another change of the rule.
 *
 * @returns The condition that the rule has not changed since it was read, not even by a staged change.
 * @throws Collision if it has a staged change.
 */
export function requireSettledRule(rule: Rule): { readonly rev: number | undefined } {
  const [batch] = rule.unsettled;
  if (batch !== undefined) throw new Collision(batch, ruleKeys.rule(rule.id));
  return { rev: rule.rev };
}

/** The condition that attributes of a rule have certain values; changes nothing. */
export function requireRule(id: string, when: NonNullable<Change['when']>): Change {
  return { ...changeRule(id, {}, { when }), isCheck: true };
}

/** The writes that move a rule to another account; its locks and its usage need writes of their own. */
export function changeRuleOwner(rule: Rule, account: string, patch: Patch, onDuplicate: () => Error): Write[] {
  const set = { ...patch.set, account, ...ruleKeys.ruleOfAccount(account, rule.createdAt, rule.id) };
  return [
    changeRule(rule.id, { ...patch, set }, { when: requireSettledRule(rule) }),
    deletePointer(rule),
    {
      kind: 'insert',
      item: { ...ruleKeys.pointer(rule.did, { ...rule, account }), id: rule.id },
      onExists: onDuplicate,
    },
  ];
}

/**
 * The writes that delete a rule that was read; its locks need writes of their own.
 *
 * @param predecessor The rule whose identity it has taken over, which gets it back; the caller removes the note there.
 */
export function deleteRule(rule: Rule, predecessor?: Rule): Write[] {
  const makeRaceError = () => new LostRace(`rule ${rule.id} was changed concurrently`);
  const { id, createdAt, subscriptionId } = rule;
  return [
    {
      kind: 'change',
      key: ruleKeys.rule(id),
      patch: { delete: true },
      when: requireSettledRule(rule),
      onMismatch: makeRaceError,
    },
    ...(predecessor === undefined ? [deletePointer(rule)] : returnIdentity(rule, predecessor, makeRaceError)),
    ...(subscriptionId === undefined
      ? []
      : [deleteItem(ruleKeys.ofSubscription(subscriptionId, createdAt, id), makeRaceError)]),
  ];
}

function returnIdentity({ id, did, ...identity }: Rule, predecessor: Rule, onMismatch: () => Error): Change[] {
  const key = ruleKeys.pointer(did, identity);
  return [
    { kind: 'change', key, patch: { set: { id: predecessor.id } }, when: { id }, onMismatch },
    deletePointer(predecessor),
  ];
}

function deletePointer(rule: Rule): Change {
  return deleteItem(ruleKeys.pointer(rule.did, rule), () => new LostRace(`rule ${rule.id} was changed concurrently`));
}

function deleteItem(key: Change['key'], onMismatch: () => Error): Change {
  return { kind: 'change', key, patch: { delete: true }, onMismatch };
}

function attributesOf({ id: _id, did: { scope, name }, ...attributes }: NewRule): Record<string, unknown> {
  return { scope, name, ...attributes };
}
