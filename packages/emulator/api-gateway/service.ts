import { logs } from '../logs/service.ts';
import type { AwsService, ServiceContext } from '../registry/aws-service.ts';
import { ofType } from '../shared/resource-type.ts';
import { accessLogFile } from './access-log.ts';
import { accessLogGroupOf } from './http-api.ts';
import { apiType, integrationType, routeType, stageType } from './resource-types.ts';

interface ApiGatewaySettings extends ServiceContext {
  /** Folder of the access log. */
  readonly logDirectory: string;
}

/** API Gateway. emulator.ts serves the API on a separate port. */
export const apiGateway = {
  resourceTypes: [apiType, integrationType, routeType, stageType],
  start: async ({ resources, logDirectory }, use) => {
    const { files } = await use(logs);
    for (const stage of ofType(resources, stageType)) {
      files.set(accessLogGroupOf(stage), accessLogFile(logDirectory));
    }
    return {};
  },
} satisfies AwsService<ApiGatewaySettings>;
