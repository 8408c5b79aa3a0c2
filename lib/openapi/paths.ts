import type { Route } from '../contract/route.ts';

/** The path of a route in OpenAPI's notation, and the names of its parameters in order. */
export interface PathTemplate {
  readonly path: string;
  readonly names: readonly string[];
}

/** `**:scope_name` is a DID: two parameters; the name may contain slashes. */
export function toTemplate({ path }: Pick<Route, 'path'>): PathTemplate {
  const template = path.replaceAll('**:scope_name', ':scope/:name').replaceAll(/(?:\*\*)?:(\w+)/g, '{$1}');
  return { path: template, names: [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name) };
}

/**
 * The template of each route. OpenAPI treats paths that differ only in parameter names as one: the names of the first
 * apply.
 */
export function toTemplates(routes: readonly Route[]): ReadonlyMap<Route, PathTemplate> {
  const byShape = new Map<string, PathTemplate>();
  const templates = new Map<Route, PathTemplate>();
  for (const route of routes) {
    const template = toTemplate(route);
    const shape = template.path.replaceAll(/\{\w+\}/g, '{}');
    byShape.set(shape, byShape.get(shape) ?? template);
    templates.set(route, byShape.get(shape) ?? template);
  }
  return templates;
}
