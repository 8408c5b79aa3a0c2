/** The texts of statements whose attributes begin with the same names. */
interface Branch {
  readonly branches: Map<string, Branch>;
  text?: string;
}

/** The branches that are kept at most: names of attributes can be names of metadata, of which there is no end. */
const maxBranches = 10_000;

const makeBranch = (): Branch => ({ branches: new Map() });

let root = makeBranch();
let branchCount = 0;

/**
 * The text of a PartiQL statement that inserts an item. Items have few different lists of names: the texts are cached, which
 * spares writing them, and their readers the hash of another string.
 */
export function insertText(tableName: string, names: readonly string[]): string {
  if (branchCount > maxBranches) {
    root = makeBranch();
    branchCount = 0;
  }
  let branch = enter(root, tableName);
  for (const name of names) branch = enter(branch, name);
  return (branch.text ??= writeText(tableName, names));
}

function enter({ branches }: Branch, name: string): Branch {
  const known = branches.get(name);
  if (known !== undefined) return known;
  const branch = makeBranch();
  branches.set(name, branch);
  branchCount += 1;
  return branch;
}

function writeText(tableName: string, names: readonly string[]): string {
  const members = names.map((name) => `'${name.replaceAll("'", "''")}': ?`);
  return `INSERT INTO "${tableName}" VALUE {${members.join(', ')}}`;
}
