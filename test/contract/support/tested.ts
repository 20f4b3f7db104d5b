import { inject, type ProvidedContext } from 'vitest';
import type { Deployment } from '../../support/deployment.ts';
import { connectApi } from './api.ts';

export const deployment = deploymentOf(inject('deployment'));

/** @throws {Error} in each file of the suite, if there is no deployment */
function deploymentOf(provided: ProvidedContext['deployment']): Deployment {
  if ('problem' in provided) {
    throw new Error(`There is no deployment to test. ${provided.problem}`);
  }
  return provided;
}

/** The service under test. */
export const api = connectApi(deployment.baseUrl);
