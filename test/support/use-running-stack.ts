import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { type RunningStack, type RunningStackOptions, startRunningStack } from './running-stack.ts';

/** A running stack until the end of the test that asks for it, or of the file. */
export async function useRunningStack(options?: RunningStackOptions): Promise<RunningStack> {
  const stack = await startRunningStack(options);
  atEnd(stack.close);
  return stack;
}
