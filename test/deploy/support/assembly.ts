import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { Template } from '../../../infra/sam-template.ts';
import { statedOutput } from '../../../infra/stated-options.ts';

/** Reads the template of the only stack in an assembly. */
export async function readTemplate(assembly: string): Promise<Template> {
  return JSON.parse(await readFile(await templatePath(assembly), 'utf8')) as Template;
}

/** How many resources of each type a template has, most first. */
export function countTypes({ Resources }: Template): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { Type } of Object.values(Resources)) counts.set(Type, (counts.get(Type) ?? 0) + 1);
  return new Map([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

/**
 * Copies an assembly and changes the code of one function, as a synthesis of other sources would: an asset with another hash,
 * and so another template.
 */
export async function changeCode(
  assembly: string,
  copy: string,
  { entry, from, to }: { entry: RegExp; from: string; to: string },
): Promise<void> {
  await cp(assembly, copy, { recursive: true });
  const { Resources } = await readTemplate(copy);
  const [id = ''] =
    Object.entries(Resources).find(([name, { Type }]) => Type === 'AWS::Lambda::Function' && entry.test(name)) ?? [];
  const { S3Key = '' } = (Resources[id]?.Properties?.['Code'] ?? {}) as { S3Key?: string };
  const oldHash = S3Key.replace('.zip', '');
  const path = join(copy, `asset.${oldHash}`, 'index.mjs');
  const code = await readFile(path, 'utf8');
  if (!code.includes(from)) throw new Error(`the bundle of ${id} does not contain ${from}`);
  const changed = code.replaceAll(from, to);
  await writeFile(path, changed);
  const newHash = sha256(changed);
  await rename(join(copy, `asset.${oldHash}`), join(copy, `asset.${newHash}`));
  await replaceEverywhere(copy, oldHash, newHash);
  // The template is an asset itself.
  const manifest = await readFile(join(copy, 'manifest.json'), 'utf8');
  const templateHash = /([0-9a-f]{64})\.json/.exec(manifest)?.[1];
  if (templateHash === undefined) throw new Error('the manifest names no template asset');
  await replaceEverywhere(copy, templateHash, sha256(await readFile(await templatePath(copy), 'utf8')));
}

/** Copies of an assembly what a deployment reads first, without the options that it states. */
export async function dropOptions(assembly: string, copy: string): Promise<void> {
  const template = await readTemplate(assembly);
  await mkdir(copy);
  await cp(join(assembly, 'manifest.json'), join(copy, 'manifest.json'));
  const { [statedOutput]: _dropped, ...Outputs } = (template as { Outputs?: Record<string, unknown> }).Outputs ?? {};
  await writeFile(join(copy, basename(await templatePath(assembly))), JSON.stringify({ ...template, Outputs }));
}

async function replaceEverywhere(folder: string, from: string, to: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.json')) continue;
    const text = await readFile(join(folder, name), 'utf8');
    if (text.includes(from)) await writeFile(join(folder, name), text.replaceAll(from, to));
  }
}

async function templatePath(assembly: string): Promise<string> {
  const names = (await readdir(assembly)).filter((name) => name.endsWith('.template.json'));
  if (names.length !== 1 || names[0] === undefined) throw new Error(`${assembly} holds ${names.length} templates`);
  return join(assembly, names[0]);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
