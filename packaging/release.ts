/**
 * `node packaging/release.ts`: makes the commit and the tag of a release of the version in package.json, after it has checked that
 * all is there. `--check <tag>` only checks, for the workflow that publishes (docs/how-to/release.md).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { projectRoot } from '../infra/project-root.ts';
import packageJson from '../package.json' with { type: 'json' };

const { version } = packageJson;
const tag = `v${version}`;
const changelog = join(projectRoot, 'CHANGELOG.md');
const kept = join(projectRoot, 'test/fixtures/releases', version, 'answers.json');
const heading = '## Unreleased\n';

const git = (...args: string[]) => execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim();

/** Obstacles to the release of a tagged state. */
function findFlaws(given: string): string[] {
  const isNamed = new RegExp(`^## ${RegExp.escape(version)} - \\d{4}-\\d\\d-\\d\\d$`, 'm').test(
    readFileSync(changelog, 'utf8'),
  );
  return [
    ...(given === tag ? [] : [`The tag ${given} is not that of the version ${version} in package.json.`]),
    ...(isNamed ? [] : [`CHANGELOG.md has no section "## ${version} - <date>".`]),
    ...(existsSync(kept)
      ? []
      : [`test/fixtures/releases/${version} is missing: no later version would be tested with it.`]),
  ];
}

/** Obstacles to a release of the working copy. */
function findObstacles(): string[] {
  const text = readFileSync(changelog, 'utf8');
  return [
    ...(git('status', '--porcelain') === '' ? [] : ['There are changes that are not committed.']),
    ...(git('tag', '--list', tag) === '' ? [] : [`The tag ${tag} exists: raise the version in package.json.`]),
    ...(text.includes(heading) ? [] : [`CHANGELOG.md has no section "${heading.trim()}".`]),
    ...(/## Unreleased\s+(?:## |$)/.test(text) ? ['The section "Unreleased" of CHANGELOG.md is empty.'] : []),
  ];
}

function release(): void {
  execFileSync(process.execPath, ['test/packaging/released/write.ts'], { cwd: projectRoot, stdio: 'inherit' });
  const date = new Date().toISOString().slice(0, 10);
  const text = readFileSync(changelog, 'utf8');
  writeFileSync(changelog, text.replace(heading, `${heading}\n## ${version} - ${date}\n`));
  git('add', 'CHANGELOG.md', 'test/fixtures/releases');
  git('commit', '--message', `release: ${version}`);
  git('tag', '--annotate', '--message', `Dapple ${version}`, tag);
  console.log(`${tag} is made. To publish it: git push origin HEAD ${tag}`);
}

const { values } = parseArgs({ options: { check: { type: 'string' } } });
const flaws = values.check === undefined ? findObstacles() : findFlaws(values.check);
for (const flaw of flaws) console.error(flaw);
if (flaws.length > 0) process.exitCode = 1;
else if (values.check === undefined) release();
