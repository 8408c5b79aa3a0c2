import type { BodyAt } from '../../api/contract.ts';
import type { Did } from '../../api/types.ts';
import { shellWord } from '../../format.ts';
import { secondsOf } from '../../tasks/texts.ts';

type DidName = Pick<Did, 'scope' | 'name'>;
type NewRules = BodyAt<'POST', '/rules'>;

/** Files that may be asked to stay together, and the effect on the choice of RSEs. */
export const groupings = [
  ['DATASET', 'those of a dataset', 'The files of a dataset go to the same RSEs. Another dataset may go to others.'],
  ['ALL', 'all', 'All files go to the same RSEs.'],
  ['NONE', 'none', 'RSEs are chosen for each file, so a dataset may be spread over all that the expression means.'],
] as const;

/** When a rule tells that its copies are there. */
export const notifications = [
  ['N', 'none'],
  ['Y', 'when it is OK'],
  ['C', 'when it is OK and the data are closed'],
  ['P', 'with its progress'],
] as const;

/** The options of a new rule, as they are typed. */
export interface Wish {
  readonly copies: string;
  /** Days until it ends; `day` otherwise; both empty: never. */
  readonly days: string;
  /** The last day of the rule, as `2026-12-24`. */
  readonly day: string;
  readonly grouping: (typeof groupings)[number][0];
  readonly notify: (typeof notifications)[number][0];
  readonly account: string;
  readonly activity: string;
  readonly comment: string;
  readonly approval: boolean;
  readonly asynchronous: boolean;
  /** The number of files of a sample; empty: all files. */
  readonly sample: string;
  readonly sampleScope: string;
  readonly sampleEnding: string;
}

/** A rule that asks for one copy, for ever. */
export const plainWish: Omit<Wish, 'account'> = {
  copies: '1',
  days: '',
  day: '',
  grouping: 'DATASET',
  notify: 'N',
  activity: '',
  comment: '',
  approval: false,
  asynchronous: false,
  sample: '',
  sampleScope: '',
  sampleEnding: '.sample',
};

/** The lifetime of a rule in seconds; null: none. A day counts until its end in the reader's zone. */
function lifetimeOf({ days, day }: Wish): number | null {
  if (day === '') return secondsOf(days);
  return Math.max(0, Math.round((new Date(`${day}T23:59:59`).getTime() - Date.now()) / 1000));
}

/** The body of the request that makes the rules. */
export function bodyOf(wish: Wish, dids: readonly DidName[], expression: string): NewRules {
  return {
    dids: dids.map(({ scope, name }) => ({ scope, name })),
    account: wish.account,
    copies: Number(wish.copies),
    rse_expression: expression.trim(),
    grouping: wish.grouping,
    lifetime: lifetimeOf(wish),
    ...(wish.activity === '' ? {} : { activity: wish.activity }),
    ...(wish.notify === 'N' ? {} : { notify: wish.notify }),
    ...(wish.asynchronous ? { asynchronous: true } : {}),
    comment: wish.comment === '' ? null : wish.comment,
    ask_approval: wish.approval,
  };
}

/** The command that does the same. */
export function commandOf(wish: Wish, dids: readonly DidName[], expression: string): string {
  const lifetime = lifetimeOf(wish);
  const named = dids.map(({ scope, name }) => shellWord(`${scope}:${name}`)).join(' ');
  const options = [
    `--copies ${wish.copies}`,
    `--rses ${shellWord(expression || 'expression')}`,
    ...(lifetime === null ? [] : [`--lifetime ${lifetime}`]),
    ...(wish.grouping === 'DATASET' ? [] : [`--grouping ${wish.grouping}`]),
    ...(wish.notify === 'N' ? [] : [`--notify ${wish.notify}`]),
    ...(wish.activity === '' ? [] : [`--activity ${shellWord(wish.activity)}`]),
    ...(wish.comment === '' ? [] : [`--comment ${shellWord(wish.comment)}`]),
    ...(wish.approval ? ['--ask-approval'] : []),
    ...(wish.asynchronous ? ['--asynchronous'] : []),
  ];
  return `rucio rule add ${named || 'scope:name'} ${options.join(' ')}`;
}

/** A sample to make of a DID, before there is a rule. */
export interface Sample {
  readonly input_scope: string;
  readonly input_name: string;
  readonly output_scope: string;
  readonly output_name: string;
  readonly nbfiles: number;
}

/** The samples that a wish asks for; none: the rules are for all files. */
export function samplesOf({ sample, sampleScope, sampleEnding }: Wish, dids: readonly DidName[]): readonly Sample[] {
  if (sample === '') return [];
  return dids.map(({ scope, name }) => ({
    input_scope: scope,
    input_name: name,
    output_scope: sampleScope.trim(),
    output_name: `${name}${sampleEnding.trim()}`,
    nbfiles: Number(sample),
  }));
}
