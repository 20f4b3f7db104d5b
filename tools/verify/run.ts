import type { Deployment } from '../operator/deployment/deployment.ts';
import { formatSeconds } from '../operator/text.ts';
import type { Check, PartName } from './checks/check.ts';
import { awsFacts } from './probes/facts.ts';
import { probes as allProbes } from './probes/probes.ts';
import type { Report, Result } from './report.ts';
import { type Made, removeFixtures } from './world/fixtures.ts';
import { openWorld } from './world/open-world.ts';
import { outcomeOf } from './world/outcome.ts';
import type { World } from './world/world.ts';

/** What a run tells whoever watches it. */
export interface Watcher {
  readonly begin: (number: number, total: number, does: string, kind: Result['kind']) => void;
  readonly end: (result: Result) => void;
  readonly say: (text: string) => void;
}

export interface RunOptions {
  readonly deployment: Deployment;
  /** For the report: `stack file-sync-dev`. */
  readonly label: string;
  /** Absent for a local run. */
  readonly stackName?: string;
  /** In the order in which they run. Facts are looked at before the last one. */
  readonly checks: readonly Check[];
  readonly isWanted: (part: PartName) => boolean;
  readonly isWantedFact: (id: string) => boolean;
  /** Ends the run early. What it made is removed all the same. */
  readonly signal: AbortSignal;
  readonly watcher: Watcher;
  /** For the wait before uploads are deleted. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** For tests: the deployment with something false. */
  readonly disturb?: (world: World) => World;
}

/** One thing to look at. */
interface Step {
  readonly result: Pick<Result, 'id' | 'kind' | 'must'>;
  readonly does: string;
  readonly wanted: boolean;
  readonly look: Check['look'];
  /** Whether it removes what it made by itself at its end, so that a run that is stopped waits for it. */
  readonly endsItself: boolean;
}

/** Looks at everything that is wanted. A step that fails does not stop the others. */
export async function verify(options: RunOptions): Promise<Report> {
  const { deployment, label, stackName, signal, isWanted, disturb = (world) => world } = options;
  const made: Made = {};
  const startedAt = new Date().toISOString();
  const results: Result[] = [];
  let left: readonly string[] = [];
  try {
    const rotate = isWanted('rotation');
    const world = await openWorld(deployment, { ...(stackName && { stackName }), made, rotate });
    await takeSteps(stepsOf(options), disturb(world), results, options);
  } finally {
    left = await remove(made, options);
  }
  return {
    deployment: label,
    baseUrl: deployment.outputs.BaseUrl,
    startedAt,
    endedAt: new Date().toISOString(),
    complete: !signal.aborted,
    results,
    left,
  };
}

async function remove(made: Made, { deployment, watcher, sleep }: RunOptions): Promise<readonly string[]> {
  const { organisationId } = made;
  if (organisationId === undefined) {
    return [];
  }
  // Said before it begins: a second Ctrl-C ends the process in the middle.
  watcher.say(
    `Deleting the client, the file and the uploads of this run. If this is stopped, do it with: organisation delete ${organisationId}`,
  );
  const left = await removeFixtures(deployment, made, {
    sleep,
    waiting: (milliseconds) =>
      watcher.say(`Waiting ${formatSeconds(milliseconds / 1000)} for sync requests that began before.`),
  });
  for (const what of left) {
    watcher.say(`Could not be removed: ${what}`);
  }
  return left;
}

function stepsOf({ checks, isWanted, isWantedFact }: RunOptions): readonly Step[] {
  const behaviours = new Map(awsFacts.map(({ id, behaviour }) => [id, behaviour]));
  const steps = checks.map(({ name, does, look }): Step => {
    const result = { id: name, kind: 'check', must: true } as const;
    return { result, does, wanted: isWanted(name), look, endsItself: name === 'contract' };
  });
  const facts = allProbes.map(({ fact, must, look }): Step => {
    const result = { id: fact, kind: 'fact', must } as const;
    const wanted = isWanted('facts') && isWantedFact(fact);
    return { result, does: behaviours.get(fact) ?? fact, wanted, look, endsItself: false };
  });
  // A revocation leaves copies of the key behind for minutes, which would disturb whatever comes after it.
  const isLast = ({ result }: Step) => result.id === 'revocation';
  return [...steps.filter((step) => !isLast(step)), ...facts, ...steps.filter(isLast)];
}

async function takeSteps(
  steps: readonly Step[],
  world: World,
  results: Result[],
  { signal, watcher }: RunOptions,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    if (signal.aborted) {
      return;
    }
    const add = (outcome: Pick<Result, 'verdict' | 'seen' | 'details'>) => {
      results.push({ ...step.result, ...outcome });
      watcher.end({ ...step.result, ...outcome });
    };
    if (!step.wanted) {
      add({ verdict: 'left out', seen: 'Not asked for.', details: [] });
      continue;
    }
    watcher.begin(index + 1, steps.length, step.does, step.result.kind);
    let details: readonly string[] = [];
    const work = outcomeOf(async () => {
      const outcome = await step.look(world);
      details = outcome.details ?? [];
      return outcome;
    });
    const outcome = await (step.endsItself ? work : unlessStopped(work, signal));
    if (outcome !== undefined) {
      add({ ...outcome, details });
    }
  }
}

/** The outcome, or undefined as soon as the run is stopped. */
function unlessStopped<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    void work.then((value) => {
      signal.removeEventListener('abort', stop);
      resolve(value);
    });
  });
}
