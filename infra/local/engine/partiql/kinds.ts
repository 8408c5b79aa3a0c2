import type { Node } from './syntax.ts';

/** What AWS calls a node that is not where it belongs. */
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
