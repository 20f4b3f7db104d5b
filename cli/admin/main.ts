import { runProgram } from '../run-program.ts';
import { explainAwsError } from './aws-errors.ts';
import { createAdminProgram } from './program.ts';
import type { AdminContext } from './session.ts';

/**
 * Runs one admin command.
 *
 * @param parameters everything behind the name of the script
 * @returns the exit code
 */
export function runAdmin(parameters: readonly string[], context: AdminContext): Promise<number> {
  return runProgram(createAdminProgram(context), { ...context, parameters, explain: explainAwsError });
}
