import { messageOf } from '../operator/errors.ts';
import { hideSecrets, printable } from '../operator/text.ts';
import type { Service } from './service.ts';

/** A guarantee of a deployment, and the function that checks it. */
export interface Check {
  /** The name for `--skip` and `--only`. */
  readonly id: string;
  /** Text for people while the check runs. */
  readonly label: string;
  /** Reason why a local run cannot show the guarantee. Absent: it can. */
  readonly stackOnly?: string;
  readonly check: (service: Service) => Promise<Outcome>;
}

/**
 * Verdict of a check. `inferred`: this deployment cannot show the guarantee, but it follows from the
 * settings. `skipped`: the person who started the run skipped the check.
 */
type Verdict = 'passed' | 'failed' | 'inferred' | 'not checked' | 'skipped';

/** A verdict, with the observation, or the reason for none. */
export interface Outcome {
  readonly verdict: Verdict;
  readonly seen: string;
}

/**
 * Ends a check before its comparison: this deployment or these permissions do not allow it, or an expected
 * event did not arrive. The message contains the reason.
 */
export class EarlyOutcome extends Error {
  override readonly name = 'EarlyOutcome';
  readonly verdict: Verdict;

  constructor(message: string, verdict: Verdict = 'not checked') {
    super(message);
    this.verdict = verdict;
  }
}

/** Returns the outcome of a comparison. */
export function judge(hasPassed: boolean, seen: string): Outcome {
  return { verdict: hasPassed ? 'passed' : 'failed', seen };
}

/** Runs a check, and turns any error into an outcome, so the other checks run too. */
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

const maxLength = 1000;

/**
 * Returns a text that is safe to show: on one line, without tokens, client secrets and the query of any URL.
 */
export function withoutSecrets(text: string): string {
  const hidden = hideSecrets(text.replace(/(https?:\/\/[^\s?"]+)\?[^\s"]+/g, '$1?(not shown)'))
    .replace(/eyJ[\w-]+\.[\w-]+(\.[\w-]+)?/g, '(a token, not shown)')
    .replace(/\s+/g, ' ');
  return printable(hidden.length > maxLength ? `${hidden.slice(0, maxLength)}…` : hidden);
}
