import { readOptions, type Options, usage } from './options.ts';
import { registerTree } from './register-tree.ts';

const options = parse();
if (options === undefined) {
  console.log(usage);
} else {
  try {
    if (!(await registerTree(options))) process.exitCode = 1;
  } catch (error) {
    console.error(`\n${describe(error)}`);
    process.exitCode = 1;
  }
}

function parse(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2), process.env);
  } catch (error) {
    console.error(`${describe(error)}\n\n${usage}`);
    return process.exit(2);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
