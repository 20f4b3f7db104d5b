import { readHttpApi } from '../../api-gateway/http-api.ts';
import type { Resource } from '../../shared/resource-type.ts';
import { functionArn, lambda, permission, resource } from '../support/aws-services.ts';

const api = resource('Api', 'AWS::ApiGatewayV2::Api', { Name: 'Api', ProtocolType: 'HTTP' });
const integrationOf = (functionId: string) =>
  resource('Integration', 'AWS::ApiGatewayV2::Integration', {
    ApiId: api.ref,
    IntegrationType: 'AWS_PROXY',
    IntegrationUri: functionArn(functionId),
    PayloadFormatVersion: '2.0',
  });
const source = `arn:aws:execute-api:us-east-1:000000000000:${api.ref}`;
const path = `${source}/*/POST/things/*/act`;
const limits = { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 10 };
const stage = (more: object = {}) =>
  resource('Stage', 'AWS::ApiGatewayV2::Stage', {
    ApiId: api.ref,
    StageName: '$default',
    AutoDeploy: true,
    AccessLogSettings: {
      DestinationArn: 'arn:aws:logs:us-east-1:000000000000:log-group:test-Log:*',
      Format: '$context.status',
    },
    DefaultRouteSettings: { ThrottlingRateLimit: 7, ThrottlingBurstLimit: 14 },
    ...more,
  });
const route = (RouteKey = 'POST /things/{id}/act', Target = `integrations/${integrationOf('Handler').ref}`) =>
  resource('Route', 'AWS::ApiGatewayV2::Route', { ApiId: api.ref, RouteKey, Target });
const permitted = (SourceArn: string, service = 'apigateway.amazonaws.com', functionId = 'Handler') =>
  permission(functionId, service, { SourceArn });
const defaults = [lambda('Handler'), api, integrationOf('Handler'), stage(), route(), permitted(path)];

/** Creates an API with one route. The given resources replace the resources with the same logical ID. */
function read(...changed: readonly Resource[]) {
  const ids = changed.map(({ logicalId }) => logicalId);
  return readHttpApi([...defaults.filter(({ logicalId }) => !ids.includes(logicalId)), ...changed]);
}

it('an HTTP API contains its routes and functions, and the settings of its stage', () => {
  expect(read(stage({ RouteSettings: { 'POST /things/{id}/act': limits } }))).toEqual({
    apiId: api.ref,
    routes: [
      {
        routeKey: 'POST /things/{id}/act',
        method: 'POST',
        segments: [{ text: 'things' }, { parameter: 'id' }, { text: 'act' }],
        functionName: 'test-Handler',
        timeoutMilliseconds: 30_000,
      },
    ],
    throttle: { rate: 7, burst: 14 },
    routeThrottles: new Map([['POST /things/{id}/act', { rate: 5, burst: 10 }]]),
    accessLogFormat: '$context.status',
    accessLogGroup: 'test-Log',
  });
});

const notAllowed =
  'Resource Route (AWS::ApiGatewayV2::Route): API Gateway may not invoke Handler. Add an AWS::Lambda::Permission for POST /things/{id}/act.';

it.for<[string, Resource, string]>([
  ['for another route', permitted(`${source}/*/POST/others`), notAllowed],
  ['for another API', permitted(`${source}x/*/POST/things/*/act`), notAllowed],
  ['for another service', permitted(path, 's3.amazonaws.com'), notAllowed],
  [
    'for another function',
    { ...permitted(path, undefined, 'Other'), logicalId: 'HandlerPermission' },
    notAllowed,
  ],
  [
    'and a route without an integration',
    route(undefined, 'integrations/none'),
    'Resource Route (AWS::ApiGatewayV2::Route): its target integrations/none is not an integration of the template.',
  ],
  [
    'and an integration without a function',
    integrationOf('None'),
    `Resource Route (AWS::ApiGatewayV2::Route): its function ${functionArn('None')} is not in the template.`,
  ],
  [
    'and settings of an unknown route',
    stage({ RouteSettings: { 'GET /none': limits } }),
    'Resource Stage (AWS::ApiGatewayV2::Stage): there is no route GET /none.',
  ],
  [
    'and a second API',
    { ...api, logicalId: 'Second' },
    'The emulator requires exactly one AWS::ApiGatewayV2::Api in the template.',
  ],
])('a start rejects an HTTP API with a permission %s', ([, changed, problem]) => {
  expect(() => read(changed)).toThrow(problem);
});

it.for(['$default', 'ANY /things', 'GET /{proxy+}', 'GET things', 'GET /a b', 'xGET /a'])(
  'an HTTP API must not contain the route key %s',
  (RouteKey) => {
    expect(() => read(route(RouteKey))).toThrow(
      `Resource Route (AWS::ApiGatewayV2::Route): the route key ${RouteKey} is not supported`,
    );
  },
);
