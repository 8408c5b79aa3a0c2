/** Programs of others that use the Rucio interface. */

/** A tool and how it is tried. */
export interface Tool {
  /** Its package, whose version is in its requirements. */
  readonly name: string;
  /** The names of its files in the folder `tools`: requirements and calls. */
  readonly file: string;
  /** Packages that it requires and does not get: those that its calls do not use. */
  readonly without?: readonly string[];
  /** Effect of its calls: a path of the interface, and a part of the answer. */
  readonly leaves: { readonly path: string; readonly text: RegExp };
}

/** The tools in the order of the page. */
export const tools: readonly Tool[] = [
  {
    name: 'snakemake-storage-plugin-rucio',
    file: 'snakemake',
    leaves: { path: '/dids/data/out.txt', text: /"FILE"/ },
  },
  {
    name: 'rucio_jupyterlab',
    file: 'jupyterlab',
    leaves: { path: '/dids/data/set/rules', text: /TWO/ },
  },
  {
    name: 'DIRAC',
    file: 'dirac',
    // gfal2-python is a package of C++ libraries; the others are those of its services.
    without: [
      'boto3',
      'botocore',
      'cwltool',
      'db12',
      'diracx-cli',
      'dominate',
      'fabric',
      'fts3',
      'gfal2-python',
      'invoke',
      'paramiko',
      'xattr',
    ],
    leaves: { path: '/dids/data/%2Fdata%2Fdata%2Frun%2Fraw%2Fone', text: /"FILE"/ },
  },
  {
    name: 'wmcore',
    file: 'wmcore',
    leaves: { path: '/dids/cms/block', text: /"open":false/ },
  },
];
