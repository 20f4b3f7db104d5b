import { join } from 'node:path';
import * as v from 'valibot';
import { makeDirectory, readFileIfPresent, writeFileAtomically } from '../shared/files.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { functionType } from './resource-types.ts';

/** How many invocations of each function may run at the same time. */
export interface ReservedConcurrency {
  /** Undefined for a function that only the account limits. */
  readonly of: (functionName: string) => number | undefined;
  /** Whether the template has this function. */
  readonly knows: (functionName: string) => boolean;
  /** Sets it, whatever the template says, until it is set again. */
  readonly set: (functionName: string, reserved: number | undefined) => Promise<void>;
}

/** By function. Null: an operator has removed what the template reserves. */
const keptSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.nullable(v.number())));

/** Opens the reserved concurrency of the template's functions, with what an operator has set in an earlier process. */
export async function openConcurrency(
  directory: string,
  resources: readonly Resource[],
): Promise<ReservedConcurrency> {
  await makeDirectory(directory);
  const path = join(directory, 'concurrency.json');
  const kept = new Map(Object.entries(v.parse(keptSchema, (await readFileIfPresent(path)) ?? '{}')));
  const ofTemplate = new Map(
    ofType(resources, functionType).map(({ ref, properties }) => [
      ref,
      properties.ReservedConcurrentExecutions,
    ]),
  );
  return {
    of: (functionName) => {
      const set = kept.get(functionName);
      return set === undefined ? ofTemplate.get(functionName) : (set ?? undefined);
    },
    knows: (functionName) => ofTemplate.has(functionName),
    set: async (functionName, reserved) => {
      const changed = new Map(kept).set(functionName, reserved ?? null);
      await writeFileAtomically(path, JSON.stringify(Object.fromEntries(changed)));
      kept.set(functionName, reserved ?? null);
    },
  };
}
