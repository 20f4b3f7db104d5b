import type { Dimensions, RecordMetric } from '../cloudwatch/metric-store.ts';
import type { AccessLogEntry } from './access-log.ts';
import type { HttpApi } from './http-api.ts';

const stage = '$default';

/**
 * The metrics that API Gateway sends of each request (API Gateway Developer Guide, "Monitor CloudWatch metrics for HTTP
 * APIs"): by API, by stage, and by route where the stage asks for detailed metrics. `4xx` and `5xx` are 0 or 1 for each
 * request, so that their average is a rate.
 */
export function recordRequest(entry: AccessLogEntry, api: HttpApi, record: RecordMetric): void {
  const { status, responseLength, responseLatency, integrationLatency, time } = entry;
  const metrics = [
    ['Count', 1, 'Count'],
    ['4xx', status >= 400 && status < 500 ? 1 : 0, 'Count'],
    ['5xx', status >= 500 ? 1 : 0, 'Count'],
    ['Latency', responseLatency, 'Milliseconds'],
    ['DataProcessed', responseLength, 'Bytes'],
    ...(integrationLatency === undefined
      ? []
      : [['IntegrationLatency', integrationLatency, 'Milliseconds'] as const]),
  ] as const;
  for (const dimensions of dimensionSets(entry, api)) {
    for (const [name, value, unit] of metrics) {
      record({ namespace: 'AWS/ApiGateway', name, dimensions, values: [value], unit, at: time.getTime() });
    }
  }
}

function dimensionSets({ routeKey }: AccessLogEntry, { apiId, hasDetailedMetrics }: HttpApi): Dimensions[] {
  const sets: Dimensions[] = [{ ApiId: apiId }, { ApiId: apiId, Stage: stage }];
  if (routeKey !== undefined && hasDetailedMetrics(routeKey)) {
    const [method = '', resource = ''] = routeKey.split(' ');
    sets.push({ ApiId: apiId, Stage: stage, Method: method, Resource: resource });
  }
  return sets;
}
