/** The pages, in groups: what the catalogue holds, where it is stored, and who operates it. */
export const groups = [
  [
    '',
    [
      ['home', 'Home'],
      ['search', 'Search'],
      ['do', 'Do'],
    ],
  ],
  [
    'Data',
    [
      ['rules', 'Rules'],
      ['subscriptions', 'Subscriptions'],
      ['opendata', 'Open data'],
    ],
  ],
  [
    'Storage',
    [
      ['rses', 'RSEs'],
      ['requests', 'Transfers'],
      ['bad', 'Bad replicas'],
    ],
  ],
  [
    'Service',
    [
      ['accounts', 'Accounts'],
      ['events', 'Live events'],
      ['configuration', 'Configuration'],
      ['operations', 'Operations'],
    ],
  ],
] as const;

/** Which entry of the navigation a page belongs to. */
export const parents: Readonly<Record<string, string>> = {
  did: 'search',
  rule: 'rules',
  'new-rule': 'rules',
  rse: 'rses',
  'test-storage': 'rses',
  subscription: 'subscriptions',
  account: 'accounts',
};
