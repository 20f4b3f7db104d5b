import type { FaultyStack } from './faulty-stack.ts';

/** The stacks in which faults happen: one with the usual settings, and one that throttles soon. */
export type StackKind = 'usual' | 'scarce';

/** What makes an alarm of the template go off, as it can happen in AWS. */
export interface AlarmFault {
  /** Id of the alarm in the stack. */
  readonly alarm: string;
  /** What happens, for people. */
  readonly fault: string;
  /** Other alarms that the same cause rightly raises. */
  readonly follows: readonly string[];
  /** The one alarm that notifies of it. */
  readonly page: string;
  /** Where it happens. */
  readonly stack: StackKind;
  /** Makes it happen, with requests of clients. */
  readonly cause: (faulty: FaultyStack) => Promise<void>;
  /** Ends what caused it, as its runbook says. */
  readonly mend: (faulty: FaultyStack) => Promise<void>;
}

/** Ends the faults of AWS's services. */
export async function endFaults(faulty: FaultyStack): Promise<void> {
  faulty.setFaults({});
}

/** The same for people who read a list of what went wrong. @throws {Error} when a status is not the wanted one */
export function requireStatus(what: string, status: number, wanted: number): void {
  if (status !== wanted) {
    throw new Error(`${what} was answered ${status} instead of ${wanted}`);
  }
}
