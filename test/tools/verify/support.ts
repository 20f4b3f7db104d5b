import type { Service } from '../../../tools/verify/service.ts';

/** Replaces some operations of the operator. */
export const operator =
  (change: Partial<Service['operator']>) =>
  (service: Service): Service => ({ ...service, operator: { ...service.operator, ...change } });

/** Waits 50 ms in place of the seconds between two polls of AWS. */
export const withShortWaits = (service: Service): Service => ({ ...service, sleep: () => service.sleep(50) });
