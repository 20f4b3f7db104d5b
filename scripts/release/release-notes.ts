/** A release that cannot be made as it is. The message says what to do. */
export class ReleaseProblem extends Error {
  override readonly name = 'ReleaseProblem';
}

const heading = /^## \[([^\]]+)\](?: - (.+))?$/;

/**
 * The section of one version in the changelog, without its heading.
 *
 * @param tag with the `v` in front, e.g. `v1.2.3`
 * @param version what package.json says
 * @throws {ReleaseProblem} when the tag is not that version, or the changelog has no section for it that says something
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`) {
    throw new ReleaseProblem(
      `The tag ${tag} is not the version ${version} of package.json. Delete the tag, and tag the commit of the release.`,
    );
  }
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => heading.exec(line)?.[1] === version);
  const title = `## [${version}] - YYYY-MM-DD`;
  if (start < 0) {
    throw new ReleaseProblem(
      `CHANGELOG.md has no section ${version}. Move what is Unreleased below '${title}'.`,
    );
  }
  const date = heading.exec(lines[start] ?? '')?.[2];
  if (date === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    throw new ReleaseProblem(
      `The heading of ${version} in CHANGELOG.md has no date. Write it as '${title}'.`,
    );
  }
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('## ') || /^\[[^\]]+\]: /.test(line));
  const notes = (end < 0 ? rest : rest.slice(0, end)).join('\n').trim();
  if (!/^- /m.test(notes)) {
    throw new ReleaseProblem(
      `The section ${version} of CHANGELOG.md says nothing. Write what changed for users.`,
    );
  }
  return `${notes}\n`;
}
