import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { type RunningStack, type RunningStackOptions, startRunningStack } from './running-stack.ts';

/** Starts a stack that runs until the end of the calling test, or of the file. */
export async function useRunningStack(options?: RunningStackOptions): Promise<RunningStack> {
  const stack = await startRunningStack(options);
  atEnd(stack.close);
  return stack;
}
