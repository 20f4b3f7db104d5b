import { services } from './services.ts';
import type { ResourceTypes } from './shared/resource-type.ts';

/** All supported resource types, by name in the template. Any other type stops the start. */
export const resourceTypes: ResourceTypes = Object.fromEntries(
  services.flatMap((service) => service.resourceTypes.map((type) => [type.type, type])),
);
