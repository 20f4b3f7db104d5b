import type { AwsService } from '../registry/aws-service.ts';
import { apiType, integrationType, routeType, stageType } from './resource-types.ts';

/** API Gateway. The API has a port of its own: start-emulator.ts serves the API. */
export const apiGateway = {
  resourceTypes: [apiType, integrationType, routeType, stageType],
} satisfies AwsService;
