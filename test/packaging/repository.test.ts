import { expect, it } from 'vitest';

import { repositoryOf } from '../../packaging/repository.ts';

it('a package names the repository whose workflow makes it, as npm demands for provenance', () => {
  const workflow = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'lab/dapple' };
  expect(repositoryOf(workflow)).toEqual({ type: 'git', url: 'git+https://github.com/lab/dapple.git' });
  expect(repositoryOf({})).toBeUndefined();
});
