import { matchesWildcard } from '../iam/condition.ts';
import { functionType, permissionType } from '../lambda/resource-types.ts';
import { StartProblem } from '../shared/errors.ts';
import { ofType, type Resource, type ResourceType, type TypedResource } from '../shared/resource-type.ts';
import { apiType, integrationType, routeType, stageType } from './resource-types.ts';
import { parseRouteKey, type Route } from './routes.ts';

/** HTTP API of a template. */
export interface HttpApi {
  readonly apiId: string;
  readonly routes: readonly Route[];
  /** Limits shared by all routes. */
  readonly throttle: ThrottleLimits;
  /** Limits of single routes, by route key. Contains only routes with their own limits. */
  readonly routeThrottles: ReadonlyMap<string, ThrottleLimits>;
  /** Template for a line of the access log. */
  readonly accessLogFormat: string;
  /** Name of the log group that receives the access log. */
  readonly accessLogGroup: string;
}

export interface ThrottleLimits {
  /** Requests per second. */
  readonly rate: number;
  /** Requests at the same moment. */
  readonly burst: number;
}

/**
 * Finds the HTTP API among the resources.
 *
 * @throws {StartProblem} unless there is exactly one HTTP API and API Gateway may invoke the function of
 * every route
 */
export function readHttpApi(resources: readonly Resource[]): HttpApi {
  const api = requireOne(resources, apiType);
  const stage = requireOne(resources, stageType);
  const { AccessLogSettings, DefaultRouteSettings, RouteSettings } = stage.properties;
  const routes = ofType(resources, routeType).map((route) => readRoute(route, api, resources));
  return {
    apiId: api.ref,
    routes,
    throttle: limitsOf(DefaultRouteSettings),
    routeThrottles: readRouteThrottles(stage.logicalId, RouteSettings, routes),
    accessLogFormat: AccessLogSettings.Format,
    accessLogGroup: accessLogGroupOf(stage),
  };
}

/** Name of the log group that receives the access log of a stage. */
export function accessLogGroupOf({
  properties: { AccessLogSettings },
}: TypedResource<typeof stageType.properties>): string {
  return /:log-group:([^:]+)/.exec(AccessLogSettings.DestinationArn)?.[1] ?? '';
}

type ThrottleSettings = TypedResource<typeof stageType.properties>['properties']['DefaultRouteSettings'];

function limitsOf({
  ThrottlingRateLimit: rate,
  ThrottlingBurstLimit: burst,
}: ThrottleSettings): ThrottleLimits {
  return { rate, burst };
}

/** API Gateway rejects settings for a route that is not in the API ("Unable to find Route by key"). */
function readRouteThrottles(
  stageId: string,
  settings: Readonly<Record<string, ThrottleSettings>>,
  routes: readonly Route[],
): ReadonlyMap<string, ThrottleLimits> {
  const throttles = new Map<string, ThrottleLimits>();
  for (const [routeKey, setting] of Object.entries(settings)) {
    if (!routes.some((route) => route.routeKey === routeKey)) {
      throw new StartProblem(`Resource ${stageId} (${stageType.type}): there is no route ${routeKey}.`);
    }
    throttles.set(routeKey, limitsOf(setting));
  }
  return throttles;
}

/** Default and maximum time of an integration (API Gateway, "Quotas for HTTP APIs"). */
const maxIntegrationMilliseconds = 30_000;

function readRoute(
  { logicalId, type, properties }: TypedResource<typeof routeType.properties>,
  api: Resource,
  resources: readonly Resource[],
): Route {
  const problem = (text: string) => new StartProblem(`Resource ${logicalId} (${type}): ${text}`);
  const { RouteKey, Target } = properties;
  const routeKey = parseRouteKey(RouteKey);
  if (!routeKey) {
    throw problem(`the route key ${RouteKey} is not supported by the emulator.`);
  }
  const integration = ofType(resources, integrationType).find(({ ref }) => `integrations/${ref}` === Target);
  if (!integration) {
    throw problem(`its target ${Target} is not an integration of the template.`);
  }
  const { IntegrationUri } = integration.properties;
  const target = ofType(resources, functionType).find(({ attributes }) => attributes.Arn === IntegrationUri);
  if (!target) {
    throw problem(`its function ${IntegrationUri} is not in the template.`);
  }
  if (!mayInvoke(api, target, routeKey.method, RouteKey, resources)) {
    throw problem(
      `API Gateway may not invoke ${target.logicalId}. Add an AWS::Lambda::Permission for ${RouteKey}.`,
    );
  }
  return {
    routeKey: RouteKey,
    ...routeKey,
    functionName: target.ref,
    timeoutMilliseconds: maxIntegrationMilliseconds,
  };
}

/** API Gateway, "Invoke permissions for HTTP APIs": without a permission, every request fails with 500. */
function mayInvoke(
  api: Resource,
  target: Resource,
  method: string,
  routeKey: string,
  resources: readonly Resource[],
): boolean {
  const path = routeKey.slice(routeKey.indexOf('/')).replace(/\{[^}]*\}/g, '*');
  const source = `${api.ref}/$default/${method}${path}`;
  return ofType(resources, permissionType)
    .map(({ properties }) => properties)
    .filter(({ Principal }) => Principal === 'apigateway.amazonaws.com')
    .filter(({ FunctionName }) => [target.ref, target.attributes.Arn].includes(FunctionName))
    .some(
      ({ SourceArn }) => SourceArn === undefined || matchesWildcard(SourceArn.split(':')[5] ?? '', source),
    );
}

function requireOne<Type extends ResourceType>(resources: readonly Resource[], type: Type) {
  const [only, ...others] = ofType<Type['properties']>(resources, type);
  if (!only || others.length > 0) {
    throw new StartProblem(`The emulator requires exactly one ${type.type} in the template.`);
  }
  return only;
}
