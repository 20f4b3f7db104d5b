import { alarms } from '../../lib/monitoring/alarms.ts';

/**
 * The runbooks. The first line of each section says what the alarm means, and people write the rest.
 *
 * @throws {Error} when an alarm has no section, or a section no alarm
 */
export function withMeanings(page: string): string {
  const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name);
  const wrong = [
    ...Object.keys(alarms)
      .filter((name) => !sections.includes(name))
      .map((name) => `docs/runbooks.md has no section '## ${name}': write where to look and what to do.`),
    ...sections
      .filter((name) => !(name in alarms))
      .map(
        (name) =>
          `docs/runbooks.md has a section '## ${name}', but no alarm has this name: remove the section.`,
      ),
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
