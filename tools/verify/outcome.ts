import { messageOf } from '../operator/errors.ts';
import { hideSecrets, printable } from '../operator/text.ts';
import type { Service } from './service.ts';

/** A promise that must hold in a deployment. */
export interface Check {
  /** The name for `--skip` and `--only`. */
  readonly id: string;
  /** What a person reads while it runs. */
  readonly does: string;
  /** Why a local run cannot show it. Absent: it can. */
  readonly stackOnly?: string;
  readonly check: (service: Service) => Promise<Outcome>;
}

/**
 * What became of a check. `inferred`: this deployment cannot show the promise, but it follows from the settings. `left
 * out`: the person who started the run asked for that.
 */
export type Verdict = 'holds' | 'does not hold' | 'inferred' | 'not checked' | 'left out';

/** A verdict, with what was seen, or why nothing was seen. */
export interface Outcome {
  readonly verdict: Verdict;
  readonly seen: string;
}

/**
 * Ends a check before its comparison: this deployment or these permissions do not allow it, or what it waits for did not
 * come. The message says why.
 */
export class EarlyOutcome extends Error {
  override readonly name = 'EarlyOutcome';
  readonly verdict: Verdict;

  constructor(message: string, verdict: Verdict = 'not checked') {
    super(message);
    this.verdict = verdict;
  }
}

/** The outcome of a comparison. */
export function judge(holds: boolean, seen: string): Outcome {
  return { verdict: holds ? 'holds' : 'does not hold', seen };
}

/** Does a check, and turns any error into an outcome, so that the other checks run too. */
export async function outcomeOf({ check, stackOnly }: Check, service: Service): Promise<Outcome> {
  if (service.isLocal && stackOnly !== undefined) {
    return { verdict: 'inferred', seen: stackOnly };
  }
  try {
    const { verdict, seen } = await check(service);
    return { verdict, seen: withoutSecrets(seen) };
  } catch (error) {
    if (error instanceof EarlyOutcome) {
      return { verdict: error.verdict, seen: error.message };
    }
    const kind = error instanceof Error && error.name !== 'Error' ? `${error.name}: ` : '';
    return { verdict: 'not checked', seen: withoutSecrets(`${kind}${messageOf(error)}`) };
  }
}

const longest = 1000;

/** A text that may be shown: without tokens, client secrets and the query of any URL, on one line. */
export function withoutSecrets(text: string): string {
  const hidden = hideSecrets(text.replace(/(https?:\/\/[^\s?"]+)\?[^\s"]+/g, '$1?(not shown)'))
    .replace(/eyJ[\w-]+\.[\w-]+(\.[\w-]+)?/g, '(a token, not shown)')
    .replace(/\s+/g, ' ');
  return printable(hidden.length > longest ? `${hidden.slice(0, longest)}…` : hidden);
}
