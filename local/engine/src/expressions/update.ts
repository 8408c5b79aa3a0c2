import { validationError } from '../errors.ts';
import { type AttributeValue, type Item, typeOf, type ValueType } from '../values/attribute-value.ts';
import { AssignedBinder } from './bind-update.ts';
import { bindPath, bindValue } from './bind.ts';
import type { Bindings } from './bindings.ts';
import { parseUpdate } from './parse.ts';
import { addPath, emptyTree, type PathTree } from './path-tree.ts';
import { type Path, readPath } from './path.ts';
import type { ActionNode } from './syntax.ts';
import { invalidExpressionError } from './token-reader.ts';
import { addTo, deleteFrom, isSet, membersOf, wrongOperandError } from './update-values.ts';
import { hasPlaces, writeTree } from './write-tree.ts';

/** A compiled update of an item. */
export interface Update {
  /**
   * Makes the changed item. It shares data with the given one: do not modify it. All operands refer to the given item,
   * which has its key attributes even if it is new.
   *
   * @param isNew - the item did not exist: REMOVE may then name places in maps and lists that do not exist.
   * @throws ValidationException if the item does not match the update.
   */
  apply(item: Item, isNew?: boolean): Item;
  /** All written paths, in the order of the text. */
  readonly paths: readonly Path[];
  /** The types of the written values, where they do not depend on the item. */
  readonly types?: readonly (ValueType | undefined)[];
  /** All paths that are read as operands. */
  readonly reads: readonly Path[];
}

/** Makes the new value of a path; undefined removes it. */
type Change = (item: Item) => AttributeValue | undefined;

const kind = 'UpdateExpression';

/**
 * Compiles an UpdateExpression.
 *
 * @throws ValidationException if it is invalid, or does not match the bindings.
 */
export function compileUpdate(text: string, bindings: Bindings): Update {
  const { actions } = parseUpdate(text, kind);
  const tree = emptyTree<number>();
  const paths: Path[] = [];
  const changes: Change[] = [];
  const removals = new Set<number>();
  // AWS checks the last action first.
  for (let i = actions.length - 1; i >= 0; i -= 1) {
    const path = bindPath(kind, (actions[i] as ActionNode).path, bindings);
    addPath(tree, path, i, kind);
    paths[i] = path;
  }
  const binder = new AssignedBinder(bindings);
  for (let i = actions.length - 1; i >= 0; i -= 1) {
    const action = actions[i] as ActionNode;
    changes[i] = bindAction(action, paths[i] as Path, binder, bindings);
    if (action.section === 'REMOVE') removals.add(i);
  }
  const isNested = paths.some((path) => path.length > 1);
  const types = actions.map((action) => typeOfAction(action, bindings));
  return { apply: applyChanges(tree, changes, removals, isNested), paths, types, reads: binder.paths };
}

function typeOfAction(action: ActionNode, bindings: Bindings): ValueType | undefined {
  if (action.section === 'REMOVE') return undefined;
  const { value } = action;
  if (value.type === 'arithmetic') return 'N';
  if (value.type === 'value') return typeOf(bindValue(kind, value, bindings));
  return value.type === 'call' && value.name === 'list_append' ? 'L' : undefined;
}

function bindAction(action: ActionNode, path: Path, binder: AssignedBinder, bindings: Bindings): Change {
  switch (action.section) {
    case 'SET':
      return binder.bind(action.value);
    case 'REMOVE':
      return () => undefined;
    default: {
      const operand = bindValue(kind, action.value, bindings);
      requireOperand(action.section, operand);
      return action.section === 'ADD' ? bindAdd(path, operand) : bindDelete(path, operand);
    }
  }
}

function bindAdd(path: Path, operand: AttributeValue): Change {
  return (item) => {
    const sum = addTo(readPath(item, path), operand);
    if (sum === undefined) throw wrongOperandError();
    return sum;
  };
}

function bindDelete(path: Path, operand: AttributeValue): Change {
  return (item) => {
    const old = readPath(item, path);
    if (old === undefined) return undefined;
    const left = deleteFrom(old, operand);
    if (left === undefined) throw wrongOperandError();
    return membersOf(left).length === 0 ? undefined : left;
  };
}

/** The names of types in error messages about the operands of ADD and DELETE. */
const typeNames: Readonly<Record<ValueType, string>> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  NULL: 'NULL',
  SS: 'STRING_SET',
  NS: 'NUMBER_SET',
  BS: 'BINARY_SET',
  L: 'LIST',
  M: 'MAP',
};

function requireOperand(section: 'ADD' | 'DELETE', operand: AttributeValue): void {
  if (isSet(operand) || (section === 'ADD' && 'N' in operand)) return;
  throw invalidExpressionError(
    kind,
    'Incorrect operand type for operator or function; ' +
      `operator: ${section}, operand type: ${typeNames[typeOf(operand)]}`,
  );
}

function applyChanges(
  tree: PathTree<number>,
  changes: readonly Change[],
  removals: ReadonlySet<number>,
  isNested: boolean,
): Update['apply'] {
  return (item, isNew = false) => {
    const isOptional = (leaf: number) => isNew && removals.has(leaf);
    if (isNested && !hasPlaces(item, tree, isOptional)) {
      throw validationError('The document path provided in the update expression is invalid for update');
    }
    const values = changes.map((change) => change(item));
    return writeTree(item, tree, values);
  };
}
