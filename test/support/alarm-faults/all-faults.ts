import type { AlarmFault } from './alarm-fault.ts';
import { apiFaults } from './api-faults.ts';
import { keyFaults } from './key-faults.ts';
import { uploadFaults } from './upload-faults.ts';

/** A fault for each alarm of the template that watches something. Those on other alarms follow. */
export const alarmFaults: readonly AlarmFault[] = [...apiFaults, ...uploadFaults, ...keyFaults];
