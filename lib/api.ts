import { Fn, Stack, Validations } from 'aws-cdk-lib';
import { CfnApi, CfnIntegration, CfnRoute, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct, type IDependable } from 'constructs';
import { type Method, methodsOf, type Route, routeKey, routes } from '../contract/routes.ts';
import { accessLogFormat } from './access-log.ts';
import type { Address } from './address.ts';
import { ApiDomain } from './api-domain.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Configuration } from './settings.ts';

export interface ServeProps {
  /** Functions, by their folder in `lambdas/`. */
  readonly functions: { readonly [Name in Route['servedBy']]: ServiceFunction };
  /** Resources that must exist before the first request arrives. */
  readonly after: IDependable;
}

export interface ApiProps {
  readonly lifecycle: Lifecycle;
  readonly configuration: Configuration;
  readonly address: Address;
}

/** A route with one of its methods. */
type ServedRoute = Pick<Route, 'path' | 'needs'> & { readonly method: Method };

/**
 * The HTTP API. It is created before its functions, because they need its address. {@link serve} adds the
 * routes later. It does not support CORS: the client secret must not be in a browser (docs/api.md 14.1).
 */
export class Api extends Construct {
  readonly apiId: string;
  /** The API's own address, without a trailing slash. */
  readonly endpoint: string;
  /** Log group for a line of each request, with the fields of `access-log.ts`. */
  readonly accessLog: LogGroup;
  /** The domain of the base URL, once the API is served. */
  domain: ApiDomain | undefined;
  private readonly props: ApiProps;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    this.props = props;
    const api = new CfnApi(this, 'Api', {
      name: Stack.of(this).stackName,
      description: 'Volumes and file sync uploads for client applications',
      protocolType: 'HTTP',
      ...(props.address.domain === undefined ? {} : { disableExecuteApiEndpoint: true }),
      ...(props.configuration.ipAddressType === 'dualstack' && { ipAddressType: 'dualstack' }),
    });
    this.apiId = api.ref;
    this.endpoint = api.attrApiEndpoint;
    this.accessLog = new LogGroup(this, 'AccessLog', {
      // Log groups with other names are listed in a resource policy that all APIs of the account share, until
      // it is full (docs/aws-facts.md, `logs-vended`). The name contains the id of the API, so it is free
      // again when the stack is recreated.
      logGroupName: Fn.join('/', ['/aws/vendedlogs', Stack.of(this).stackName, this.apiId]),
      retention: props.lifecycle.logRetention,
      removalPolicy: props.lifecycle.removalPolicy,
    });
  }

  /** Adds exactly the routes of the contract. The stage is created after `after` and all routes. */
  serve({ functions, after }: ServeProps): void {
    const opened = Object.entries(functions).flatMap(([folder, handler]) => {
      const integration = this.integrate(handler);
      const served = Object.entries(routes).filter(([, { servedBy }]) => servedBy === folder);
      return served.flatMap(([name, route]) =>
        methodsOf(route).map((method) => this.route(name, { ...route, method }, handler, integration)),
      );
    });
    const stage = this.stage();
    stage.node.addDependency(after, ...opened);
    const { domain } = this.props.address;
    this.domain = domain && new ApiDomain(this, { ...domain, apiId: this.apiId, stage });
  }

  private integrate(handler: ServiceFunction): CfnIntegration {
    return new CfnIntegration(this, `${handler.node.id}Integration`, {
      apiId: this.apiId,
      integrationType: 'AWS_PROXY',
      integrationUri: handler.function.functionArn,
      payloadFormatVersion: '2.0',
    });
  }

  private route(
    name: string,
    definition: ServedRoute,
    handler: ServiceFunction,
    integration: CfnIntegration,
  ): CfnRoute {
    const { method, path, needs } = definition;
    const id = name.charAt(0).toUpperCase() + name.slice(1) + (method === 'HEAD' ? 'Head' : '');
    const route = new CfnRoute(this, `${id}Route`, {
      apiId: this.apiId,
      routeKey: routeKey(definition),
      authorizationType: 'NONE',
      target: `integrations/${integration.ref}`,
    });
    Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: authorization[needs] });
    const source = { service: 'apigateway.amazonaws.com', sourceArn: this.arnOf(method, path) };
    route.addResourceDependency(handler.allowInvocation(id, source));
    return route;
  }

  /** ARN of a route, at any stage and with any path parameters. */
  private arnOf(method: string, path: string): string {
    const resourceName = `*/${method}${path.replaceAll(/\{\w+\}/g, '*')}`;
    return Stack.of(this).formatArn({ service: 'execute-api', resource: this.apiId, resourceName });
  }

  private stage(): CfnStage {
    const limits = rateLimits(this.props.configuration);
    // The limit of the stage is the sum of the limits of the routes. So a flood of one route does not
    // throttle others, whether or not API Gateway counts a route's requests against the limit of the stage.
    const all = limits.reduce((sum, [, limit]) => sum + limit, 0);
    return new CfnStage(this, 'Stage', {
      apiId: this.apiId,
      stageName: '$default',
      autoDeploy: true,
      defaultRouteSettings: { throttlingRateLimit: all, throttlingBurstLimit: all },
      // CloudFormation receives this property unchanged, so it uses the template's names.
      routeSettings: Object.fromEntries(
        limits.map(([key, limit]) => [key, { ThrottlingRateLimit: limit, ThrottlingBurstLimit: limit }]),
      ),
      accessLogSettings: { destinationArn: this.accessLog.logGroupArn, format: accessLogFormat },
    });
  }
}

/**
 * Limit of `GET /v0/volumes` and of each public document: far above normal use. With the defaults of the
 * other two routes, the sum stays below 1,250: the burst quota of an account in thirteen Regions.
 */
const otherRateLimit = 125;

/** Limit of HEAD of each public document: monitors send one request a minute. */
const headRateLimit = 25;

/** Returns the requests per second to each route, by its key. A burst is one second's worth. */
export function rateLimits(configuration: Configuration) {
  return Object.values(routes).flatMap((route) => {
    const limit = 'rateLimit' in route ? configuration[route.rateLimit] : otherRateLimit;
    return methodsOf(route).map(
      (method) => [routeKey({ ...route, method }), method === 'HEAD' ? headRateLimit : limit] as const,
    );
  });
}

/**
 * Reason for the missing authorizer of the routes, and the place of authentication, by the kind of
 * credentials that a route requires.
 */
const authorization: Readonly<Record<Route['needs'], string>> = {
  'client credentials': 'The function authenticates the client by its secret (RFC 6749 section 2.3.1).',
  'access token':
    "The function verifies the access token itself: API Gateway's authorizer supports only RSA, cannot be created in " +
    "the stack that issues the tokens, and cannot return the contract's bodies for 401 and 403.",
  nothing: 'A public document, which clients read without credentials.',
};
