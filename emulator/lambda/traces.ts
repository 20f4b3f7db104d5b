import type { Authorize } from '../iam/authorize.ts';
import type { TypedResource } from '../shared/resource-type.ts';
import type { functionType } from './resource-types.ts';

/** Lambda asks for it when a function with active tracing is made, and refuses the function without it. */
export const sendTraces = 'xray:PutTraceSegments';

/** How many traces were sent, and how many were lost (X-Ray API reference, PutTelemetryRecords). */
const reportTraces = 'xray:PutTelemetryRecords';

/** Lambda sends the traces of a function with its role, if its tracing is active. X-Ray has no resources for that. */
export function isTraced({ properties }: TypedResource<typeof functionType.properties>): boolean {
  return properties.TracingConfig?.Mode === 'Active';
}

/**
 * Asks for the permissions that the traces of a function need. Nothing is sent, since there is no X-Ray here. What is
 * denied is logged, and the function runs on, as in AWS.
 */
export function askForTraces(
  { roleArn, functionName }: { readonly roleArn: string; readonly functionName: string },
  authorize: Authorize,
): void {
  const principal = { kind: 'session', roleArn, sessionName: functionName } as const;
  for (const action of [sendTraces, reportTraces]) {
    authorize({ principal, action, resource: '*' });
  }
}
