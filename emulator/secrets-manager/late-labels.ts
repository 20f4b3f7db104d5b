import type { MovedLabel, Secret } from './secret.ts';

/** Longest that a move is remembered. No delay of a test is longer. */
const rememberedMilliseconds = 60_000;

/** The moves that a change of a secret makes, after those that are still remembered. */
export function movedLabels(before: Secret, after: Secret, now: number): readonly MovedLabel[] {
  const moved = before.versions.flatMap(({ versionId, stages }) =>
    stages
      .filter((stage) => after.versions.some((it) => it.versionId !== versionId && it.stages.includes(stage)))
      .map((stage) => ({ stage, from: versionId, at: now })),
  );
  const recent = (before.movedLabels ?? []).filter(({ at }) => now - at < rememberedMilliseconds);
  return [...recent, ...moved];
}

/**
 * A secret whose labels that moved after a time are where they were then: readers of Secrets Manager may be late by
 * that much. A label that no version had before is seen immediately.
 */
export function withLateLabels(secret: Secret, time: number): Secret {
  const late = new Map<string, string>();
  // The oldest move after that time says where the label was then, and so comes last.
  for (const { stage, from, at } of [...(secret.movedLabels ?? [])].reverse()) {
    if (at > time && secret.versions.some(({ versionId }) => versionId === from)) {
      late.set(stage, from);
    }
  }
  const versions = secret.versions.map((version) => {
    const rest = version.stages.filter((stage) => !late.has(stage));
    const own = [...late].filter(([, from]) => from === version.versionId).map(([stage]) => stage);
    return { ...version, stages: [...rest, ...own] };
  });
  return { ...secret, versions };
}
