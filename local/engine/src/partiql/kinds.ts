import { contentOf } from '../values/attribute-value.ts';
import type { Node } from './syntax.ts';

/** AWS's term for a misplaced node. */
export function kindOf(node: Node): string {
  switch (node.type) {
    case 'literal':
    case 'number':
    case 'missing':
    case 'ion':
      return 'Literal';
    case 'parameter':
      return 'Parameter';
    case 'path':
      return node.path.length === 1 ? 'VariableReference' : 'Path';
    case 'list':
    case 'bag':
      return 'Seq';
    case 'struct':
      return 'Struct';
    case 'is':
      return 'IsType';
    default:
      return 'NAry';
  }
}

/** AWS's word for a node that cannot order rows. */
export function tagOf(node: Node): string {
  switch (node.type) {
    case 'operator':
      return node.operator;
    case 'call':
      return node.name;
    case 'number':
      return node.text;
    case 'literal':
      return 'NULL' in node.value ? 'null' : JSON.stringify(contentOf(node.value));
    case 'is':
      return 'is';
    default:
      return node.type.toUpperCase();
  }
}
