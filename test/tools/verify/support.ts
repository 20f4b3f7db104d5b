import type { Service } from '../../../tools/verify/service.ts';

/** Replaces some operations of the operator. */
export const operator =
  (change: Partial<Service['operator']>) =>
  (service: Service): Service => ({ ...service, operator: { ...service.operator, ...change } });
