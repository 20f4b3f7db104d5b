import type { AlarmFault } from './alarm-fault.ts';
import { apiFaults } from './api-faults.ts';
import { keyFaults } from './key-faults.ts';
import { uploadFaults } from './upload-faults.ts';

/** Faults for each alarm on a metric: one for each metric that it adds up, if there are several. Alarms on others follow. */
export const alarmFaults: readonly AlarmFault[] = [...apiFaults, ...uploadFaults, ...keyFaults];
