import { type CheckResult, ok, warning } from './finding.ts';

/**
 * Checks the clock of this machine.
 *
 * @param skew text from `describeSkew`
 */
export function checkClock(skew: string | undefined): CheckResult {
  return skew === undefined
    ? ok('this machine is at most a minute off AWS')
    : warning(skew, 'Set the clock of this machine. Other programs here may use the wrong time.');
}
