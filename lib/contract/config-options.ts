/** An option of the configuration: what the page of operators says of it. */
export interface ConfigOption {
  readonly section: string;
  /** Its name, or what the names of its section are. */
  readonly option: string;
  /** The name is free. */
  readonly isFree?: true;
  readonly values: string;
  readonly default: string;
  readonly purpose: string;
}

/** The options that Dapple uses, in the words of docs/operations/configuration.md; it stores all others, and does nothing with them. */
export const configOptions: readonly ConfigOption[] = [
  {
    section: 'metadata',
    option: 'indexed_keys',
    values: 'keys, with blanks, commas',
    default: 'run_number task_id campaign datatype',
    purpose: 'searches read their hits',
  },
  {
    section: 'metadata',
    option: 'excluded_keys',
    values: 'keys, with blanks, commas',
    default: 'none',
    purpose: 'free keys without an index',
  },
  {
    section: 'metadata',
    option: 'max_keys_per_scope',
    values: '0 to 1,000',
    default: '200',
    purpose: 'free keys with an index',
  },
  {
    section: 'events',
    option: 'kept_hours',
    values: 'hours, 1 to 9,999',
    default: '24',
    purpose: 'the log of GET /events',
  },
  {
    section: 'importer',
    option: 'rse_sync_method',
    values: 'append, edit, hard',
    default: 'edit',
    purpose: 'import: RSEs, protocols',
  },
  {
    section: 'importer',
    option: 'attr_sync_method',
    values: 'append, edit, hard',
    default: 'edit',
    purpose: 'import: attributes of RSEs',
  },
  {
    section: 'rules',
    option: 'default_activity',
    values: 'text',
    default: 'default',
    purpose: 'rules of subscriptions',
  },
  {
    section: 'subscriptions',
    option: 'reevaluate_dids_at_close',
    values: 'true, false',
    default: 'false',
    purpose: 'matches data again at close',
  },
  {
    section: 'lifetime_model',
    option: 'cutoff_date',
    values: 'day, YYYY-MM-DD',
    default: 'none: no exceptions are taken',
    purpose: 'lifetime exceptions',
  },
  {
    section: 'common',
    option: 'extract_scope',
    values: 'dirac, def, those of the policy',
    default: 'that of the policy (dirac)',
    purpose: "scope of DIRAC's files",
  },
  {
    section: 'credentials',
    option: 'signature_lifetime',
    values: 'seconds',
    default: '600',
    purpose: 'signed PFNs in lists',
  },
  {
    section: 'dirac',
    option: 'lifetime',
    values: 'JSON: seconds by scope',
    default: '{}',
    purpose: "rules of DIRAC's datasets",
  },
  { section: 'dirac', option: 'file_lifetime', values: 'seconds', default: 'none', purpose: "rules of DIRAC's files" },
  {
    section: 'opendata',
    option: 'rse_expression',
    values: 'RSE expression',
    default: 'none: no files are listed',
    purpose: 'RSEs whose PFNs open data show',
  },
  {
    section: 'opendata',
    option: 'rule_enable',
    values: 'true, false',
    default: 'false',
    purpose: 'a rule for what is public',
  },
  {
    section: 'opendata',
    option: 'rule_rse_expression',
    values: 'RSE expression',
    default: 'rse_expression',
    purpose: 'RSEs of these rules',
  },
  {
    section: 'opendata',
    option: 'rule_account',
    values: 'account',
    default: 'root',
    purpose: 'account of these rules',
  },
  { section: 'opendata', option: 'rule_copies', values: '1 to 99', default: '1', purpose: 'copies of these rules' },
  {
    section: 'opendata',
    option: 'rule_activity',
    values: 'text',
    default: 'User Subscriptions',
    purpose: 'activity of these rules',
  },
  {
    section: 'lifetime_model',
    option: 'max_extension',
    values: 'days',
    default: 'none',
    purpose: 'longest lifetime exception',
  },
  {
    section: 'root-proxy-internal',
    option: 'name of a site',
    isFree: true,
    values: 'host and port',
    default: 'none',
    purpose: 'proxy for reads elsewhere',
  },
  {
    section: 'clientcachemap',
    option: 'name of a site',
    isFree: true,
    values: 'name of a cache',
    default: 'none',
    purpose: 'that site uses no proxy',
  },
  {
    section: 'custom_distance',
    option: 'name of a site',
    isFree: true,
    values: 'JSON {"<RSE>": <0 to 1>}',
    default: 'none',
    purpose: 'order of PFNs by custom_table; an RSE that is not named counts as 1',
  },
];
