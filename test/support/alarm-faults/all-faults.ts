import type { AlarmFault, StackKind } from './alarm-fault.ts';
import { apiFaults, scarce } from './api-faults.ts';
import type { startFaultyStack } from './faulty-stack.ts';
import { keyFaults } from './key-faults.ts';
import { uploadFaults } from './upload-faults.ts';

/** Faults for each alarm on a metric: one for each metric that it adds up, if there are several. Alarms on others follow. */
export const alarmFaults: readonly AlarmFault[] = [...apiFaults, ...uploadFaults, ...keyFaults];

/** How the stack of each kind starts. */
export const faultyStacks: Readonly<Record<StackKind, Parameters<typeof startFaultyStack>[0]>> = {
  usual: {},
  scarce: { throttled: true, context: scarce },
};
