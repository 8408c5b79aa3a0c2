import type { Shape } from './shapes/shape.ts';

/** Renders a part of a request in the notation of DynamoDB's errors, which is Java's. */
export function render(value: unknown, shape: Shape): string {
  if (typeof value !== 'object' || value === null) return String(value);
  switch (shape.kind) {
    case 'list':
      return `[${(value as readonly unknown[]).map((one) => render(one, shape.member)).join(', ')}]`;
    case 'map':
      return `{${renderEntries(value, () => shape.member).join(', ')}}`;
    case 'structure':
      return renderStructure(shape.name, value, (member) => shape.members[member]);
    default:
      return renderStructure('AttributeValue', value, () => undefined);
  }
}

function renderStructure(name: string, value: object, shapeOf: (member: string) => Shape | undefined): string {
  return `${name}(${renderEntries(value, shapeOf)
    .map((entry) => entry.charAt(0).toLowerCase() + entry.slice(1))
    .join(', ')})`;
}

function renderEntries(value: object, shapeOf: (member: string) => Shape | undefined): string[] {
  return Object.entries(value).map(([name, one]) => {
    const shape = shapeOf(name);
    return `${name}=${shape === undefined ? JSON.stringify(one) : render(one, shape)}`;
  });
}
