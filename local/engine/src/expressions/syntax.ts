/** The parameter that contains an expression, as in error messages. */
export type ExpressionKind =
  | 'ConditionExpression'
  | 'FilterExpression'
  | 'KeyConditionExpression'
  | 'ProjectionExpression'
  | 'UpdateExpression';

/** A step of a document path: an attribute by its name or its `#alias`, or a member of a list. */
export type StepNode =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'alias'; readonly alias: string }
  | { readonly type: 'index'; readonly index: number; readonly text: string };

/** A document path. */
export interface PathNode {
  readonly type: 'path';
  readonly steps: readonly StepNode[];
}

/** A `:value`. */
export interface ValueNode {
  readonly type: 'value';
  readonly name: string;
}

/** A function with its operands. */
export interface CallNode {
  readonly type: 'call';
  readonly name: string;
  readonly operands: readonly OperandNode[];
}

/** An operand of an operator or a function. */
export type OperandNode = PathNode | ValueNode | CallNode;

/** A comparison operator. */
export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** A boolean expression. */
export type ConditionNode =
  | { readonly type: 'AND' | 'OR'; readonly left: ConditionNode; readonly right: ConditionNode }
  | { readonly type: 'NOT'; readonly inner: ConditionNode }
  | {
      readonly type: 'comparison';
      readonly operator: Comparator;
      readonly operands: readonly [OperandNode, OperandNode];
    }
  | { readonly type: 'BETWEEN'; readonly operands: readonly [OperandNode, OperandNode, OperandNode] }
  | { readonly type: 'IN'; readonly operands: readonly OperandNode[] }
  | CallNode;

/** A value that SET assigns. */
export type AssignedNode =
  | OperandNode
  | {
      readonly type: 'arithmetic';
      readonly operator: '+' | '-';
      readonly operands: readonly [OperandNode, OperandNode];
    };

/** A section of an update. */
export type Section = 'SET' | 'REMOVE' | 'ADD' | 'DELETE';

/** One change of an update. */
export type ActionNode =
  | { readonly section: 'SET'; readonly path: PathNode; readonly value: AssignedNode }
  | { readonly section: 'REMOVE'; readonly path: PathNode }
  | { readonly section: 'ADD' | 'DELETE'; readonly path: PathNode; readonly value: ValueNode };

/** An update: its changes, and its sections as they come in the text. */
export interface UpdateNode {
  readonly actions: readonly ActionNode[];
  readonly sections: readonly Section[];
}
