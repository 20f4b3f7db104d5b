import * as v from 'valibot';
import { permissionSchema } from '../lambda/resource-types.ts';
import type { Resource } from '../shared/resource-type.ts';
import { StartProblem } from '../shared/start-problem.ts';
import { integrationSchema, routeSchema, stageSchema } from './resource-types.ts';
import { type PathSegment, parseRouteKey } from './route-key.ts';

/** One route of the API and the function behind it. */
export interface Route {
  /** As in the template, e.g. `POST /v0/files/{fileId}/sync`. */
  readonly routeKey: string;
  readonly method: string;
  readonly segments: readonly PathSegment[];
  readonly functionName: string;
  /** Longest wait for the function. */
  readonly timeoutMilliseconds: number;
}

/** The HTTP API of a template. */
export interface HttpApi {
  readonly apiId: string;
  readonly routes: readonly Route[];
  /** Requests per second and at once; absent without throttling. */
  readonly throttle: { readonly rate: number; readonly burst: number } | undefined;
  /** Template of a line of the access log; absent without one. */
  readonly accessLogFormat: string | undefined;
}

/**
 * Finds the HTTP API among the resources.
 *
 * @throws {StartProblem} when there is not exactly one, or a route leads to nothing that may be invoked
 */
export function readHttpApi(resources: readonly Resource[]): HttpApi {
  const api = theOnly(resources, 'AWS::ApiGatewayV2::Api');
  const stage = v.parse(stageSchema, theOnly(resources, 'AWS::ApiGatewayV2::Stage').properties);
  const settings = stage.DefaultRouteSettings;
  const rate = settings?.ThrottlingRateLimit;
  const burst = settings?.ThrottlingBurstLimit;
  return {
    apiId: api.ref,
    routes: ofType(resources, 'AWS::ApiGatewayV2::Route').map((route) => readRoute(route, api, resources)),
    throttle: rate === undefined || burst === undefined ? undefined : { rate, burst },
    accessLogFormat: stage.AccessLogSettings?.Format,
  };
}

function readRoute(resource: Resource, api: Resource, resources: readonly Resource[]): Route {
  const name = `Resource ${resource.logicalId} (${resource.type})`;
  const { RouteKey, Target } = v.parse(routeSchema, resource.properties);
  const parsed = parseRouteKey(RouteKey);
  if (!parsed)
    throw new StartProblem(`${name}: the route key ${RouteKey} is not supported by the local run.`);
  const integrations = ofType(resources, 'AWS::ApiGatewayV2::Integration');
  const integration = integrations.find((candidate) => `integrations/${candidate.ref}` === Target);
  if (!integration)
    throw new StartProblem(`${name}: its target ${Target} is not an integration of the template.`);
  const { IntegrationUri, TimeoutInMillis } = v.parse(integrationSchema, integration.properties);
  const target = ofType(resources, 'AWS::Lambda::Function').find(
    (one) => one.attributes.Arn === IntegrationUri,
  );
  if (!target)
    throw new StartProblem(`${name}: it leads to ${IntegrationUri}, which is not in the template.`);
  if (!mayInvoke(api, target, parsed.method, RouteKey, resources)) {
    throw new StartProblem(
      `${name}: API Gateway may not invoke ${target.logicalId}. Add an AWS::Lambda::Permission for ${RouteKey}.`,
    );
  }
  return { routeKey: RouteKey, ...parsed, functionName: target.ref, timeoutMilliseconds: TimeoutInMillis };
}

/** API Gateway, "Invoke permissions for HTTP APIs": without a permission every request would be answered 500. */
function mayInvoke(
  api: Resource,
  target: Resource,
  method: string,
  routeKey: string,
  resources: readonly Resource[],
): boolean {
  const path = routeKey.slice(routeKey.indexOf('/')).replace(/\{[^}]*\}/g, '*');
  const source = `${api.ref}/$default/${method}${path}`;
  return ofType(resources, 'AWS::Lambda::Permission')
    .map((permission) => v.parse(permissionSchema, permission.properties))
    .filter((permission) => permission.Principal === 'apigateway.amazonaws.com')
    .filter(({ FunctionName }) => FunctionName === target.ref || FunctionName === target.attributes.Arn)
    .some(
      ({ SourceArn }) => SourceArn === undefined || matchesWildcards(SourceArn.split(':')[5] ?? '', source),
    );
}

function matchesWildcards(pattern: string, value: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(value);
}

function ofType(resources: readonly Resource[], type: string): Resource[] {
  return resources.filter((resource) => resource.type === type);
}

function theOnly(resources: readonly Resource[], type: string): Resource {
  const [only, ...others] = ofType(resources, type);
  if (!only || others.length > 0) {
    throw new StartProblem(`The local run needs exactly one ${type} in the template.`);
  }
  return only;
}
