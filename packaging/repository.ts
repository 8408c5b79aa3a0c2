/** The member `repository` of a package.json. */
interface Repository {
  readonly type: 'git';
  readonly url: string;
}

/**
 * The repository whose workflow makes the package; undefined elsewhere. npm takes a package with provenance only if it names the
 * repository that the provenance names.
 */
export function repositoryOf(environment: NodeJS.ProcessEnv): Repository | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = environment;
  return server === undefined || name === undefined ? undefined : { type: 'git', url: `git+${server}/${name}.git` };
}
