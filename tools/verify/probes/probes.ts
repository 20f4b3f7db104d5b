import { eventProbes } from './event-probes.ts';
import { gatewayProbes } from './gateway-probes.ts';
import { keyProbes } from './key-probes.ts';
import type { Probe } from './probe.ts';
import { storageProbes } from './storage-probes.ts';

/** One probe for each fact of docs/aws-facts.md that this command checks. */
export const probes: readonly Probe[] = [...storageProbes, ...eventProbes, ...keyProbes, ...gatewayProbes];
