/** A member of a row in which the servers differ; undefined: the server does not have it. */
export interface FieldDifference {
  readonly field: string;
  readonly left: unknown;
  readonly right: unknown;
  /** Why this difference is decided, so that it does not count. */
  readonly decision?: string;
}

/** The result of comparing one thing. */
export type Finding =
  | { readonly kind: 'equal'; readonly key: string }
  /** All differences are decided ones. */
  | { readonly kind: 'decided' | 'different'; readonly key: string; readonly fields: readonly FieldDifference[] }
  | { readonly kind: 'left' | 'right'; readonly key: string; readonly value: Readonly<Record<string, unknown>> }
  /** A server knows the thing, but cannot tell about it. */
  | {
      readonly kind: 'unreadable';
      readonly key: string;
      readonly side: 'left' | 'right' | 'both';
      readonly problem: string;
    };
