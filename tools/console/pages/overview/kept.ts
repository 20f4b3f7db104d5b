import type { ConsoleContext } from '../../http/environment.ts';

/** What asks AWS several times: it has an outcome, or none yet. */
export type Kept<Value> = { readonly at: number; readonly outcome?: Outcome<Value> };

type Outcome<Value> = { readonly value: Value } | { readonly error: unknown };

interface Entry {
  readonly at: number;
  outcome?: Outcome<unknown>;
  readonly settled: Promise<void>;
}

const entries = new WeakMap<ConsoleContext, Map<string, Entry>>();

/** A page is there quickly, also when AWS is slow: what is not known by then comes into the page when it is. */
const waitMilliseconds = 100;

/** AWS is asked again after so long, and not for each page. */
const freshMilliseconds = 20_000;

/** The last outcome of something that is asked of AWS for a page. It is asked again when it is old, or must be new. */
export async function keep<Value>(
  console: ConsoleContext,
  name: string,
  run: () => Promise<Value>,
  mustBeNew = false,
): Promise<Kept<Value>> {
  const known = entries.get(console) ?? new Map<string, Entry>();
  entries.set(console, known);
  const now = console.now();
  let entry = known.get(name);
  const isOld = entry === undefined || now - entry.at > freshMilliseconds || mustBeNew;
  if (entry === undefined || (isOld && entry.outcome !== undefined)) {
    entry = begin(now, run);
    known.set(name, entry);
  }
  await Promise.race([entry.settled, passed(waitMilliseconds)]);
  return entry as Kept<Value>;
}

function begin(at: number, run: () => Promise<unknown>): Entry {
  const entry: Entry = {
    at,
    settled: run().then(
      (value) => {
        entry.outcome = { value };
      },
      (error: unknown) => {
        entry.outcome = { error };
      },
    ),
  };
  return entry;
}

function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
