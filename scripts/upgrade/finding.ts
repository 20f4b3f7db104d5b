/** The stages whose templates are compared. */
export const stages = ['prod', 'dev'] as const;

export type Stage = (typeof stages)[number];

/** What an upgrade would do that loses data or breaks those who depend on a deployment. */
export type FindingKind =
  | 'stack renamed'
  | 'resource removed'
  | 'resource replaced'
  | 'resource may be replaced'
  | 'change refused'
  | 'index lost'
  | 'index update refused'
  | 'protection weaker'
  | 'kept for less time'
  | 'output removed'
  | 'output moved'
  | 'type not classified'
  | 'items not readable';

/** One reason why a deployment of the old version must not be updated to the new one. */
export interface Finding {
  readonly kind: FindingKind;
  /** The logical ID, the output, or the file with items, that it is about. */
  readonly subject: string;
  /** What changed. */
  readonly what: string;
  /** Why that loses something. */
  readonly why: string;
  /** What to do. */
  readonly next: string;
}

/** A finding, and the stages in which it holds. Without one, it holds whatever the stage. */
export interface StagedFinding extends Finding {
  readonly stages: readonly Stage[];
}

/**
 * Joins findings that hold in several stages, in the order in which they were found. What is retained in prod is deleted
 * in dev, so that the reasons can differ.
 */
export function joinStages(found: Readonly<Record<Stage, readonly Finding[]>>): readonly StagedFinding[] {
  const joined = new Map<string, StagedFinding>();
  for (const stage of stages) {
    for (const finding of found[stage]) {
      const key = JSON.stringify([finding.kind, finding.subject, finding.what]);
      const known = joined.get(key);
      const why =
        known === undefined || known.why === finding.why
          ? finding.why
          : `${known.why} In ${stage}: ${finding.why}`;
      joined.set(key, { ...finding, why, stages: [...(known?.stages ?? []), stage] });
    }
  }
  return [...joined.values()];
}
