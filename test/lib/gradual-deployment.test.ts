import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { routes } from '../../contract/routes.ts';
import { allDependencies, creationOrder } from '../../emulator/cloudformation/dependencies.ts';
import { type Template, templateSchema } from '../../emulator/cloudformation/template.ts';
import { compareTemplates } from '../../scripts/upgrade/compare.ts';
import { replacements } from '../../scripts/upgrade/replacements.ts';
import { loadSchemas } from '../../scripts/upgrade/schemas.ts';
import { templateSchema as comparedSchema } from '../../scripts/upgrade/template.ts';
import {
  propertiesOf,
  readable,
  resourcesOf,
  synthesized,
  type TemplateDocument,
} from '../support/synthesized.ts';
import { permissionsByRole, statementsOf } from './policies.ts';

const none = synthesized().document;
const canary = synthesized({ gradualDeployment: 'canary' }).document;
const served = ['Token', 'Volumes', 'Sync', 'WellKnown'];

const withoutHash = (id: string) => id.replace(/[0-9A-F]{8}$/, '');
const idsOf = (document: TemplateDocument, type: string) => resourcesOf(document, type).map(([id]) => id);

describe('without the setting', () => {
  it.each([
    'AWS::Lambda::Version',
    'AWS::Lambda::Alias',
    'AWS::CodeDeploy::Application',
    'Custom::AliasRemoval',
  ])('there is no %s', (type) => {
    expect(idsOf(none, type)).toEqual([]);
    expect(idsOf(canary, type)).not.toEqual([]);
  });

  it('the template is the same as with none', () => {
    expect(synthesized({ gradualDeployment: 'none' }).document).toEqual(none);
  });
});

describe('the alias of each function behind the API', () => {
  interface Alias {
    readonly Name: string;
    readonly FunctionName: unknown;
    readonly FunctionVersion: unknown;
  }
  const aliases = resourcesOf(canary, 'AWS::Lambda::Alias');

  it('points to the newest version of its function, and no other function has one', () => {
    expect(aliases.map(([id]) => withoutHash(id))).toEqual(
      served.map((name) => `GradualDeployment${name}Alias`),
    );
    for (const [index, properties] of propertiesOf<Alias>(canary, 'AWS::Lambda::Alias').entries()) {
      expect(properties.Name).toBe('live');
      expect(readable(properties.FunctionName)).toBe(`<${served[index]}Function>`);
      expect(JSON.stringify(properties.FunctionVersion)).toMatch(
        new RegExp(`"${served[index]}FunctionCurrentVersion\\w+","Version"`),
      );
    }
  });

  it('is moved by CodeDeploy, by its own deployment group', () => {
    const groups = idsOf(canary, 'AWS::CodeDeploy::DeploymentGroup');
    const policies = aliases.map(([, alias]) => (alias as { UpdatePolicy?: unknown }).UpdatePolicy);
    const [application] = idsOf(canary, 'AWS::CodeDeploy::Application');
    expect(policies).toEqual(
      groups.map((group) => ({
        CodeDeployLambdaAliasUpdate: {
          ApplicationName: { Ref: application },
          DeploymentGroupName: { Ref: group },
        },
      })),
    );
  });

  it('gets the requests of the function’s routes', () => {
    const targets = propertiesOf<{ IntegrationUri: unknown }>(canary, 'AWS::ApiGatewayV2::Integration');
    expect(targets.map(({ IntegrationUri }) => readable(IntegrationUri)).sort()).toEqual(
      served.map((name) => `<GradualDeployment${name}Alias>`).sort(),
    );
  });

  const versionsOf = (context: Record<string, unknown>) =>
    Object.fromEntries(
      idsOf(synthesized({ gradualDeployment: 'canary', ...context }).document, 'AWS::Lambda::Version').map(
        (id) => [id.replace(/Function.*/, ''), id],
      ),
    );

  it('gets a new version when the configuration of its function changes, and otherwise none', () => {
    const before = versionsOf({});
    const now = versionsOf({ tokenLifetimeSeconds: '600' });
    expect(Object.keys(before).filter((name) => before[name] !== now[name])).toEqual(['Token']);
  });

  it('leaves no old version behind: an identical one would be in the way when the setting returns', () => {
    for (const [id, version] of resourcesOf(canary, 'AWS::Lambda::Version')) {
      expect(version.DeletionPolicy ?? 'Delete', id).toBe('Delete');
    }
  });
});

describe('a deployment group', () => {
  interface Group {
    readonly AlarmConfiguration: { readonly Alarms: readonly { readonly Name: { readonly Ref: string } }[] };
  }
  const groups = propertiesOf<Group>(canary, 'AWS::CodeDeploy::DeploymentGroup');

  it('moves a tenth first and the rest after ten minutes, and goes back when anything is wrong', () => {
    expect(groups).toHaveLength(4);
    for (const group of groups) {
      expect(group).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
        DeploymentStyle: { DeploymentType: 'BLUE_GREEN', DeploymentOption: 'WITH_TRAFFIC_CONTROL' },
        AlarmConfiguration: { Enabled: true, IgnorePollAlarmFailure: false },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
        },
      });
      expect(group).not.toHaveProperty('DeploymentGroupName');
    }
  });

  it('looks at the alarms of the API, and at the new version of its own function', () => {
    for (const [index, group] of groups.entries()) {
      const alarms = group.AlarmConfiguration.Alarms.map(({ Name }) => withoutHash(Name.Ref));
      expect(alarms.slice(0, -1)).toEqual(['AlarmsServerErrors', 'AlarmsSlowAnswers']);
      expect(alarms.at(-1)).toBe(`GradualDeployment${served[index]}Failures`);
      expect(alarms.filter((name) => name.startsWith('GradualDeployment'))).toHaveLength(1);
    }
  });

  it('has an alarm on the failures of the version that requests move to, through the alias', () => {
    const alarms = resourcesOf(canary, 'AWS::CloudWatch::Alarm').filter(([id]) => id.includes('Failures'));
    const shown = alarms.map(([, { Properties }]) => {
      const dimensions = Properties?.Dimensions as readonly { Name: string; Value: unknown }[];
      return dimensions.map(({ Name, Value }) => `${Name}=${readable(Value)}`);
    });
    expect(shown).toEqual(
      served.map((name) => [
        expect.stringMatching(new RegExp(`^ExecutedVersion=<${name}FunctionCurrentVersion.*\\.Version>$`)),
        `FunctionName=<${name}Function>`,
        `Resource=<${name}Function>:live`,
      ]),
    );
  });

  it('exists, with its alarms and the permissions of CodeDeploy, before the alias changes', () => {
    const template = v.parse(templateSchema, canary);
    for (const [index, id] of idsOf(canary, 'AWS::Lambda::Alias').entries()) {
      const needed = [...allDependencies(id, template.Resources)].map(withoutHash);
      expect(needed).toEqual(
        expect.arrayContaining([
          'AlarmsServerErrors',
          `GradualDeployment${served[index]}Failures`,
          `GradualDeployment${served[index]}Group`,
          'GradualDeploymentApplication',
          'GradualDeploymentRole',
          'GradualDeploymentPolicy',
        ]),
      );
    }
  });
});

describe('the role of CodeDeploy', () => {
  const [id] = idsOf(canary, 'AWS::IAM::Role').filter((it) => it.startsWith('GradualDeploymentRole'));

  it('may move the aliases of these functions and read alarms, and nothing else', () => {
    const actions = ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'];
    const functions = served.flatMap((name) => [`<${name}Function.Arn>`, `<${name}Function.Arn>:*`]);
    expect(permissionsByRole(canary)['<GradualDeploymentRole>']).toEqual(
      [
        'cloudwatch:DescribeAlarms on *',
        ...actions.flatMap((action) => functions.map((arn) => `${action} on ${arn}`)),
      ].sort(),
    );
  });

  it('can be assumed by CodeDeploy alone, for the groups of this stack', () => {
    const [statement, ...others] = statementsOf(canary, 'AWS::IAM::Role').filter(([role]) => role === id);
    expect(others).toEqual([]);
    expect(statement?.[1]).toMatchObject({
      Principal: { Service: 'codedeploy.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    });
    const condition = statement?.[1].Condition as { StringLike: Record<string, unknown> } | undefined;
    expect(readable(condition?.StringLike['aws:SourceArn'])).toBe(
      'arn:<AWS::Partition>:codedeploy:<AWS::Region>:<AWS::AccountId>:deploymentgroup:<GradualDeploymentApplication>/*',
    );
  });

  it('is the only one that is new, but for the function that waits, which may write its log', () => {
    const roles = Object.keys(permissionsByRole(canary)).filter((role) => !(role in permissionsByRole(none)));
    expect(roles.sort()).toEqual(['<GradualDeploymentRemovalWaitRole>', '<GradualDeploymentRole>']);
    expect(permissionsByRole(canary)['<GradualDeploymentRemovalWaitRole>']).toEqual([
      'logs:CreateLogStream on <GradualDeploymentRemovalWaitLogs.Arn>',
      'logs:PutLogEvents on <GradualDeploymentRemovalWaitLogs.Arn>',
    ]);
    for (const [role, permissions] of Object.entries(permissionsByRole(none))) {
      expect(permissionsByRole(canary)[role], role).toEqual(permissions);
    }
  });
});

/** What exists at a moment of an update: resources as the template before has them, or the one after. */
type Existing = Readonly<Record<string, Template['Resources'][string]>>;

/** Routes that API Gateway may not have answered by this integration, because of what does not exist. */
function unanswered(
  existing: Existing,
  integration: { readonly id: string; readonly uri: unknown },
): readonly string[] {
  const all = Object.entries(existing);
  const permitted = all
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Permission')
    .filter(([, { Properties }]) => isDeepStrictEqual(Properties.FunctionName, integration.uri))
    .map(([, { Properties }]) => readable(Properties.SourceArn).replace(/^.*<Api>\/\*\//, ''));
  return all
    .filter(([, { Properties }]) => JSON.stringify(Properties.Target)?.includes(`"${integration.id}"`))
    .map(([, { Properties }]) => String(Properties.RouteKey).replace(' ', '').replace('{fileId}', '*'))
    .filter((route) => !permitted.includes(route));
}

function pick(template: Template, ids: Iterable<string>): Existing {
  return Object.fromEntries(
    [...ids].flatMap((id) => (template.Resources[id] ? [[id, template.Resources[id]]] : [])),
  );
}

const templates = { none: v.parse(templateSchema, none), canary: v.parse(templateSchema, canary) };

describe.each([
  ['on', templates.none, templates.canary],
  ['off', templates.canary, templates.none],
] as const)('switching %s', (_, from, to) => {
  const integrations = Object.entries(to.Resources)
    .filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::Integration')
    .map(([id, { Properties }]) => ({
      id,
      uri: Properties.IntegrationUri,
      before: from.Resources[id]?.Properties.IntegrationUri,
      needed: allDependencies(id, to.Resources),
    }));

  it('changes each integration in place, and what it leads to', () => {
    expect(integrations).toHaveLength(4);
    for (const { id, uri, before } of integrations) {
      const { IntegrationUri: _now, ...now } = to.Resources[id]?.Properties ?? {};
      const { IntegrationUri: _then, ...then } = from.Resources[id]?.Properties ?? {};
      expect(now).toEqual(then);
      expect(before).not.toEqual(uri);
    }
  });

  it('finds everything that the new target needs the moment an integration changes, whatever else is late', () => {
    for (const { needed, ...integration } of integrations) {
      const before = pick(from, Object.keys(from.Resources));
      const existing = { ...before, ...pick(to, needed) };
      expect(unanswered(existing, integration)).toEqual([]);
    }
  });

  it('leaves everything that the old target needs until the cleanup, and there until requests have left it', () => {
    const removed = Object.keys(from.Resources).filter((id) => to.Resources[id] === undefined);
    const order = creationOrder(from.Resources)
      .toReversed()
      .filter((id) => removed.includes(id));
    const neededBefore = (id: string) => [...allDependencies(id, from.Resources)];
    for (const { id, before } of integrations) {
      const permissions = neededBefore(id).filter(
        (it) => from.Resources[it]?.Type === 'AWS::Lambda::Permission' && removed.includes(it),
      );
      const old = [...permissions, ...removed.filter((it) => isDeepStrictEqual(before, { Ref: it }))];
      const waiting = removed.find((it) => from.Resources[it]?.Type === 'Custom::AliasRemoval') ?? '';
      expect(old.length > 0).toBe(removed.includes(waiting));
      for (const target of old) {
        // CloudFormation removes what depends on a resource before the resource.
        expect(neededBefore(waiting)).toContain(target);
        expect(order.indexOf(waiting)).toBeLessThan(order.indexOf(target));
      }
      expect(unanswered(pick(from, Object.keys(from.Resources)), { id, uri: before })).toEqual([]);
    }
  });

  it('replaces nothing, and loses nothing', () => {
    const schemas = loadSchemas();
    const [before, after] = [from, to].map((template) => v.parse(comparedSchema, template));
    if (before === undefined || after === undefined) {
      throw new Error('no templates');
    }
    expect([...replacements(before, after, schemas)]).toEqual([]);
    const findings = compareTemplates(before, after, schemas).map(({ kind, subject }) => [kind, subject]);
    // The log of the function that waited goes with it.
    const log = ['resource removed', expect.stringMatching(/^GradualDeploymentRemovalWaitLogs/)];
    expect(findings).toEqual(to === templates.none ? [log] : []);
  });
});

describe('the permissions of API Gateway', () => {
  interface Permission {
    readonly Principal: string;
    readonly FunctionName: unknown;
    readonly SourceArn: unknown;
  }

  it('are for each route on its function, as without the setting, and on its alias', () => {
    const targets = (document: TemplateDocument) =>
      propertiesOf<Permission>(document, 'AWS::Lambda::Permission')
        .filter(({ Principal }) => Principal === 'apigateway.amazonaws.com')
        .map(({ FunctionName, SourceArn }) => `${readable(FunctionName)} ${readable(SourceArn)}`);
    const onFunctions = targets(none);
    const onAliases = onFunctions.map((line) =>
      line.replace(/<(\w+)Function\.Arn>/, '<GradualDeployment$1Alias>'),
    );
    expect(onFunctions).toHaveLength(Object.keys(routes).length);
    expect(targets(canary).sort()).toEqual([...onFunctions, ...onAliases].sort());
  });
});
