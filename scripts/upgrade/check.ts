import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareStacks } from './compare.ts';
import { provideDependencies } from './dependencies.ts';
import { type Finding, joinStages, type Stage, type StagedFinding, stages } from './finding.ts';
import { type OldVersion, openRepository } from './repository.ts';
import { loadSchemas, type Schemas } from './schemas.ts';
import { type ItemReport, readRecorded } from './stored-items.ts';
import { synthesize } from './synthesize.ts';

export interface CheckOptions {
  /** The checkout: the new version. */
  readonly root: string;
  /** A tag, a branch or a commit, or `last-release`. */
  readonly from: string;
  /** Settings for both versions. */
  readonly context: Readonly<Record<string, string>>;
  /** Gets each step as it begins. */
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** What was compared, and what was found. */
export interface CheckReport {
  readonly from: string;
  readonly commit: string;
  /** How many resources of the old version were compared, by stage. */
  readonly resources: Readonly<Record<Stage, number>>;
  readonly items: ItemReport['versions'];
  readonly findings: readonly StagedFinding[];
}

/** Nothing was checked, since there is nothing to compare with. */
export interface NothingToCheck {
  readonly none: string;
}

/**
 * Compares a version with this checkout: its templates, and whether its stored items can be read. Leaves nothing behind.
 *
 * @throws {CheckProblem} when one of the versions is not there or cannot be synthesized
 */
export async function checkUpgrade(options: CheckOptions): Promise<CheckReport | NothingToCheck> {
  const repository = openRepository(options.root, options.signal);
  const version = await repository.resolve(options.from);
  if ('none' in version) {
    return version;
  }
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-upgrade-'));
  try {
    options.progress(`Writing ${version.ref} (${version.commit.slice(0, 12)}) into a temporary folder`);
    const old = join(folder, 'old');
    await repository.extract(version.commit, old);
    await provideDependencies({ ...options, folder: old, version: version.ref });
    return await compare(options, version, { folder, old });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Folders {
  /** Temporary, for what is synthesized. */
  readonly folder: string;
  /** The files of the old version. */
  readonly old: string;
}

async function compare(
  options: CheckOptions,
  { ref, commit }: Exclude<OldVersion, NothingToCheck>,
  { folder, old }: Folders,
): Promise<CheckReport> {
  const schemas = loadSchemas();
  const found: Record<Stage, readonly Finding[]> = { prod: [], dev: [] };
  const resources: Record<Stage, number> = { prod: 0, dev: 0 };
  for (const stage of stages) {
    const compared = await compareStage(stage, { options, ref, folder, old, schemas });
    found[stage] = compared.findings;
    resources[stage] = compared.resources;
  }
  options.progress(`Reading the stored items of ${ref} with the code of this checkout`);
  const items = await readRecorded(old);
  return {
    from: ref,
    commit,
    resources,
    items: items.versions,
    findings: [...joinStages(found), ...items.findings.map((finding) => ({ ...finding, stages: [] }))],
  };
}

interface StageOptions extends Folders {
  readonly options: CheckOptions;
  readonly ref: string;
  readonly schemas: Schemas;
}

async function compareStage(stage: Stage, { options, ref, folder, old, schemas }: StageOptions) {
  const { root, context, progress, signal } = options;
  progress(`Synthesizing ${stage} of ${ref} and of this checkout`);
  const settled = await Promise.allSettled([
    synthesize({ root: old, version: ref, stage, context, output: join(folder, `old-${stage}`), signal }),
    synthesize({
      root,
      version: 'this checkout',
      stage,
      context,
      output: join(folder, `new-${stage}`),
      signal,
    }),
  ]);
  // Both have ended, so that neither writes into the folder when it is removed.
  const [from, to] = settled.map((result) => {
    if (result.status === 'rejected') {
      throw result.reason;
    }
    return result.value;
  });
  if (from === undefined || to === undefined) {
    throw new Error('One of two versions was not synthesized');
  }
  return {
    findings: compareStacks(from, to, schemas),
    resources: Object.keys(from.template.Resources).length,
  };
}
