import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyProject } from './copy-project.ts';
import type { Defect, Subject } from './defect.ts';
import type { Outcome } from './outcome.ts';
import { failuresWithoutDefect, plant } from './plant.ts';
import type { Progress } from './progress.ts';
import type { Planted } from './report.ts';
import { typeErrorsOf } from './type-check.ts';

export interface RunOptions {
  readonly root: string;
  readonly subjects: readonly Subject[];
  /** How many defects are planted at the same time, each in a copy of its own. */
  readonly parallel: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** The tests fail without a defect, so that their failures would say nothing. */
export class FailingTestsError extends Error {
  override readonly name = 'FailingTestsError';
}

/**
 * Plants each defect in a copy of the project, and runs its tests.
 *
 * @throws {FailingTestsError} when a test fails without a defect
 */
export async function runPlanted(options: RunOptions): Promise<readonly Planted[]> {
  // Vitest reports real paths.
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'file-sync-planted-')));
  try {
    return await runIn(folder, options);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runIn(folder: string, options: RunOptions): Promise<readonly Planted[]> {
  const { root, subjects, parallel, progress, signal } = options;
  const original = join(folder, 'original');
  await copyProject(root, original);
  const all = subjects.flatMap(({ subject, defects }) => defects.map((defect) => ({ subject, defect })));
  const defects = all.map(({ defect }) => defect);
  progress.say(`type-checking ${defects.length} defects`);
  const typeErrors = typeErrorsOf(original, defects);
  await requirePassing(defects, { original, folder: join(folder, 'without'), signal }, progress);

  const planted = new Map<string, Planted>();
  const waiting = [...all.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const [index, { subject, defect }] = next;
      const startedAt = performance.now();
      progress.begin(defect.name);
      const outcome = await outcomeFor(defect, typeErrors, {
        original,
        folder: join(folder, String(index)),
        signal,
      });
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
      const result = { subject, defect, outcome, seconds };
      planted.set(defect.name, result);
      progress.end(result);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return defects.flatMap(({ name }) => planted.get(name) ?? []);
}

async function outcomeFor(
  defect: Defect,
  typeErrors: ReadonlyMap<string, string>,
  planting: Parameters<typeof plant>[1],
): Promise<Outcome> {
  const error = typeErrors.get(defect.name);
  return error === undefined ? plant(defect, planting) : { result: 'wrong types', detail: error };
}

async function requirePassing(
  defects: readonly Defect[],
  planting: Parameters<typeof plant>[1],
  progress: Progress,
): Promise<void> {
  const tests = [...new Set(defects.flatMap((defect) => defect.tests))];
  progress.say(`running the tests without a defect: ${tests.length} files and folders`);
  const failures = await failuresWithoutDefect(planting, tests);
  if (failures.length > 0) {
    throw new FailingTestsError(`These fail without a defect:\n  ${failures.join('\n  ')}`);
  }
}
