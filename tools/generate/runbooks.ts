import { alarms } from '../../lib/monitoring/alarms.ts';

/**
 * The runbooks. The first line of each section says what the alarm means, and people write the rest.
 *
 * @throws {Error} when an alarm has no section, or a section no alarm
 */
export function withMeanings(page: string): string {
  const sections: readonly string[] = page.match(/^## \w+$/gm) ?? [];
  const needed = Object.keys(alarms).map((name) => `## ${name}`);
  const wrong = [
    ...needed
      .filter((section) => !sections.includes(section))
      .map((section) => `docs/runbooks.md has no section '${section}': write where to look and what to do.`),
    ...sections
      .filter((section) => !needed.includes(section))
      .map((section) => `docs/runbooks.md has a section '${section}' without an alarm: remove the section.`),
  ];
  if (wrong.length > 0) {
    throw new Error(wrong.join('\n'));
  }
  return Object.entries(alarms).reduce(
    (text, [name, { means }]) => text.replace(firstLine(name), () => `## ${name}\n\n**${means}.**\n\n`),
    page,
  );
}

/** The heading of a section, and what the alarm means if the section says that already. */
function firstLine(name: string): RegExp {
  return new RegExp(`^## ${name}\\n\\n(?:\\*\\*[^*\\n]+\\*\\*\\n\\n)?`, 'm');
}
