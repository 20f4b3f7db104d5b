import type { Subject } from './defect.ts';

/**
 * The defects with these names, and all defects of these subjects; every defect without a name.
 *
 * @throws {RangeError} for a name that is neither
 */
export function choose(subjects: readonly Subject[], names: readonly string[]): readonly Subject[] {
  const known = new Set(
    subjects.flatMap(({ subject, defects }) => [subject, ...defects.map(({ name }) => name)]),
  );
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new RangeError(`There is no defect or subject '${unknown}'. --list shows them.`);
  }
  if (names.length === 0) {
    return subjects;
  }
  return subjects
    .map(({ subject, defects }) => ({
      subject,
      defects: defects.filter(({ name }) => names.includes(subject) || names.includes(name)),
    }))
    .filter(({ defects }) => defects.length > 0);
}
