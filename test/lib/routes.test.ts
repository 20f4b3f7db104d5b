import { readFile } from 'node:fs/promises';
import { methodsOf, routeKeysOf, routes } from '../../contract/routes.ts';
import { everySetting, propertiesOf, readable, resourcesOf, synthesized } from '../support/synthesized.ts';

const { document } = synthesized();

interface Route {
  readonly RouteKey: string;
  readonly Target: unknown;
}

interface Permission {
  readonly Principal: string;
  readonly FunctionName: unknown;
  readonly SourceArn?: unknown;
  readonly SourceAccount?: unknown;
}

/** Construct of each function behind the API. */
const idOf = { token: 'Token', volumes: 'Volumes', sync: 'Sync', 'well-known': 'WellKnown' };

const invocations = propertiesOf<Permission>(document, 'AWS::Lambda::Permission').map((permission) => ({
  who: permission.Principal,
  target: readable(permission.FunctionName),
  source: readable(permission.SourceArn ?? permission.SourceAccount),
}));

describe('the API (docs/api.md 1.2)', () => {
  it('serves exactly the routes of the contract, each by its function', () => {
    const served = propertiesOf<Route>(document, 'AWS::ApiGatewayV2::Route').map(
      ({ RouteKey, Target }) => `${RouteKey} ${readable(Target)}`,
    );
    expect(served.sort()).toEqual(
      Object.values(routes)
        .flatMap((route) =>
          routeKeysOf(route).map((key) => `${key} integrations/<Api${idOf[route.servedBy]}Integration>`),
        )
        .sort(),
    );
  });

  it('opens only when the first signing key exists and every route is there', () => {
    const stage = resourcesOf(document, 'AWS::ApiGatewayV2::Stage')[0]?.[1];
    const [firstKey] = resourcesOf(document, 'Custom::FirstSigningKey').map(([id]) => id);
    const routeIds = resourcesOf(document, 'AWS::ApiGatewayV2::Route').map(([id]) => id);
    expect([...(stage?.DependsOn ?? [])].sort()).toEqual([firstKey, ...routeIds].sort());
    const first = resourcesOf(document, 'AWS::ApiGatewayV2::Route').map(
      ([, { DependsOn }]) => DependsOn?.[0],
    );
    expect(first).toEqual(first.map(() => expect.stringMatching(/Permission/)));
  });

  describe('throttles', () => {
    interface Limits {
      readonly ThrottlingRateLimit: number;
      readonly ThrottlingBurstLimit: number;
    }
    interface Stage {
      readonly StageName: string;
      readonly DefaultRouteSettings: Limits;
      readonly RouteSettings: Readonly<Record<string, Limits>>;
    }
    const stageOf = (context: Record<string, unknown> = {}) =>
      propertiesOf<Stage>(synthesized(context).document, 'AWS::ApiGatewayV2::Stage')[0];
    const both = (limit: number) => ({ ThrottlingRateLimit: limit, ThrottlingBurstLimit: limit });

    it('each route by a limit of its own, and the stage by their sum', () => {
      const own: Partial<Record<string, number>> = { token: 9, sync: 8 };
      const limits = Object.entries(routes).flatMap(([name, route]) =>
        routeKeysOf(route).map((key) => [key, key.startsWith('HEAD') ? 25 : (own[name] ?? 125)] as const),
      );
      expect(stageOf(everySetting)).toMatchObject({
        StageName: '$default',
        DefaultRouteSettings: both(limits.reduce((sum, [, limit]) => sum + limit, 0)),
        RouteSettings: Object.fromEntries(limits.map(([key, limit]) => [key, both(limit)])),
      });
    });

    it('each with the default of docs/api.md 12.4', async () => {
      const page = await readFile('docs/api.md', 'utf8');
      const figures = /\*\*12\.4\*\*[^*]*by default ([^*]*)As many/.exec(page)?.[1]?.match(/\d+/g);
      const { RouteSettings = {} } = stageOf() ?? {};
      const keys = [
        'POST /oauth/token',
        'POST /v0/files/{fileId}/sync',
        'GET /v0/volumes',
        'HEAD /v0/openapi.json',
      ];
      expect(figures).toEqual(keys.map((key) => String(RouteSettings[key]?.ThrottlingRateLimit)));
    });

    it('all by default below the quotas of the smallest Regions', () => {
      const { DefaultRouteSettings: all, RouteSettings } = stageOf() ?? {};
      expect(all?.ThrottlingBurstLimit).toBeLessThanOrEqual(1250);
      const sync = RouteSettings?.['POST /v0/files/{fileId}/sync'];
      const inOneSecond = (sync?.ThrottlingRateLimit ?? 600) + (sync?.ThrottlingBurstLimit ?? 600);
      expect(inOneSecond).toBeLessThanOrEqual(400);
    });
  });

  it('logs nothing of a request that its caller can choose', () => {
    const [stage] = propertiesOf<{ AccessLogSettings: { Format: string } }>(
      document,
      'AWS::ApiGatewayV2::Stage',
    );
    const fields: Record<string, string> = JSON.parse(stage?.AccessLogSettings.Format ?? '');
    expect(fields).toMatchObject({ request_id: '$context.requestId', status: '$context.status' });
    const { domain, ...others } = fields;
    // Callers cannot choose it: API Gateway responds only to the names of the API.
    expect(domain).toBe('$context.domainName');
    expect(Object.values(others).join()).not.toMatch(
      /authorizer|path|userAgent|domain|header|query|body|claims/i,
    );
  });
});

it('only API Gateway, EventBridge and Secrets Manager invoke functions', () => {
  const arn = 'arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<Api>';
  const api = (target: string, route: string) => ({
    who: 'apigateway.amazonaws.com',
    target: `<${target}.Arn>`,
    source: `${arn}/*/${route}`,
  });
  const expected = [
    ...Object.values(routes).flatMap((route) =>
      methodsOf(route).map((method) =>
        api(`${idOf[route.servedBy]}Function`, `${method}${route.path.replace(/\{\w+\}/, '*')}`),
      ),
    ),
    {
      who: 'secretsmanager.amazonaws.com',
      target: '<RotationRotateFunction.Arn>',
      source: '<AWS::AccountId>',
    },
    {
      who: 'events.amazonaws.com',
      target: '<RecorderRecordFunction.Arn>',
      source: '<RecorderObjectCreated.Arn>',
    },
    {
      who: 'events.amazonaws.com',
      target: '<ReconcilerReconcileFunction.Arn>',
      source: '<ReconcilerSchedule.Arn>',
    },
    {
      who: 'events.amazonaws.com',
      target: '<ProtectionProtectFunction.Arn>',
      source: '<ProtectionStackChanged.Arn>',
    },
  ];
  expect(invocations).toHaveLength(expected.length);
  expect(invocations).toEqual(expect.arrayContaining(expected));
});
