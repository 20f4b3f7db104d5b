import type { ServiceMetrics } from '../cloudwatch/service-metrics.ts';
import type { LogFile } from '../logs/log-file.ts';
import { recordAccessMetrics } from '../logs/log-lines.ts';
import { readMetricFilters } from '../logs/metric-filters.ts';
import type { Resource } from '../shared/resource-type.ts';
import { createAccessLogFormatter } from './access-log.ts';
import { createThrottles } from './handle-request.ts';
import { readHttpApi } from './http-api.ts';
import type { GatewayOptions, GatewayServer } from './server.ts';

/** Dependencies of a served API. */
interface ApiDependencies extends Pick<GatewayOptions, 'accountId' | 'invoke' | 'now'> {
  readonly gateway: GatewayServer;
  readonly accessLog: Pick<LogFile, 'write'>;
  readonly metrics: ServiceMetrics;
  /** True if the throttling settings of the template apply. */
  readonly throttled: boolean;
}

/**
 * Reads the HTTP API of a template and the format of its access log.
 *
 * @returns a function that serves the API
 * @throws {StartProblem} for an API that the emulator does not support
 */
export function prepareApi(resources: readonly Resource[]): (dependencies: ApiDependencies) => void {
  const api = readHttpApi(resources);
  const format = createAccessLogFormatter(api.accessLogFormat);
  const filters = readMetricFilters(resources)(api.accessLogGroup);
  return ({ gateway, accessLog, metrics, throttled, ...dependencies }) => {
    const recordLine = recordAccessMetrics(filters, metrics.record);
    gateway.serve({
      ...dependencies,
      api,
      mayPass: throttled ? createThrottles(api, () => performance.now()) : () => true,
      logAccess: (entry) => {
        metrics.request(entry);
        const line = format(entry);
        accessLog.write(line);
        recordLine(line, entry.time.getTime());
      },
    });
  };
}
