import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const oldest = 17;

const remedy = [
  `Dapple's embedded DynamoDB (AWS's DynamoDB Local) needs a Java runtime, version ${oldest} or newer. Either`,
  '  - install one: `sudo apt-get install openjdk-17-jre-headless`, `sudo dnf install java-17-openjdk-headless`,',
  '    or `brew install openjdk`; or',
  '  - point JAVA_HOME at one; or',
  '  - set DYNAMODB_ENDPOINT to use another engine, for example http://localhost:4566.',
].join('\n');

/**
 * Finds the Java runtime: that of JAVA_HOME, else the `java` on the PATH.
 *
 * @returns the command and its major version.
 * @throws Error that names the remedy when there is none or it is too old.
 */
export async function findJava(): Promise<{ command: string; version: number }> {
  const home = process.env['JAVA_HOME'];
  const command = home === undefined || home === '' ? 'java' : `${home}/bin/java`;
  const output = await promisify(execFile)(command, ['-version'], { timeout: 20_000 }).then(
    ({ stdout, stderr }) => stderr + stdout,
    () => undefined,
  );
  if (output === undefined) throw new Error(`There is no working Java: \`${command} -version\` failed.\n${remedy}`);
  const version = parseJavaVersion(output);
  if (version === undefined || version < oldest) {
    throw new Error(`Java is too old: \`${command} -version\` says ${version ?? output.trim()}.\n${remedy}`);
  }
  return { command, version };
}

/** Major version from the text of `java -version`, where 8 calls itself 1.8; undefined when there is none in it. */
export function parseJavaVersion(output: string): number | undefined {
  const found = /version "(?:1\.)?(\d+)/.exec(output)?.[1];
  return found === undefined ? undefined : Number(found);
}
