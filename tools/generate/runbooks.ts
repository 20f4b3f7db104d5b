import { alarms } from '../../lib/monitoring/alarms.ts';

/**
 * Returns the runbooks. The first line of each section is the meaning of the alarm, and people write the
 * rest.
 *
 * @throws {Error} if an alarm is without a section, or a section is without an alarm
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

/** Matches the heading of a section, and the meaning of the alarm if it is already there. */
function firstLine(name: string): RegExp {
  return new RegExp(`^## ${name}\\n\\n(?:\\*\\*[^*\\n]+\\*\\*\\n\\n)?`, 'm');
}
