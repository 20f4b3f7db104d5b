import { awsMessageOf, isAccessDenied } from '../deployment/aws-errors.ts';
import type { NextStep } from '../description/next-step.ts';

/** Result of a check. */
export interface CheckResult {
  /**
   * A `warning` can wait. A `failed` check cannot: something does not work, or will soon stop working. `news`
   * requires nothing, but an operator should know it.
   */
  readonly state: 'ok' | 'news' | 'warning' | 'failed';
  readonly message: string;
  /** Recommended next step. Absent if none is needed, or if the message contains it. */
  readonly advice?: string | undefined;
  /** Action that the advice names. */
  readonly next?: NextStep | undefined;
}

export interface Finding extends CheckResult {
  readonly check: string;
}

export function ok(message: string): CheckResult {
  return { state: 'ok', message };
}

export function news(message: string): CheckResult {
  return { state: 'news', message };
}

export function warning(message: string, advice: string, next?: NextStep): CheckResult {
  return { state: 'warning', message, advice, next };
}

export function failed(message: string, advice?: string, next?: NextStep): CheckResult {
  return { state: 'failed', message, advice, next };
}

/** Runs one check. An error becomes the result of the check, and the other checks still run. */
export async function examine(check: string, run: () => Promise<CheckResult>): Promise<Finding> {
  try {
    return { check, ...(await run()) };
  } catch (error) {
    const message = awsMessageOf(error);
    const advice = 'Let an administrator allow this action, or sign in with another role.';
    return { check, ...failed(message, isAccessDenied(error) ? advice : undefined) };
  }
}
