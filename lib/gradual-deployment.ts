import { ArnFormat, type CfnElement, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Policy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnAlias, type Version } from 'aws-cdk-lib/aws-lambda';
import { Construct, type IDependable } from 'constructs';
import { AliasRemoval, type AliasRemovalProps } from './alias-removal.ts';
import type { ServiceFunction } from './service-function.ts';

export interface GradualDeploymentProps<Name extends string> extends AliasRemovalProps {
  /** The functions whose requests move to a new version in steps. */
  readonly functions: Readonly<Record<Name, ServiceFunction>>;
  /** Alarms that take a deployment back, in addition to one for each new version. */
  readonly rollbackAlarms: readonly Alarm[];
  /** Made first: when it exists, a function of the stack has answered CloudFormation. */
  readonly after: IDependable;
}

/** Name of the alias of each function. It points to the version that answers requests. */
const aliasName = 'live';

/**
 * A tenth of the requests for ten minutes, then all of them. An alarm gets its metrics a minute or two late, and some
 * alarms look at five minutes: five minutes with a tenth of the requests could be over before an alarm has seen them.
 */
const deploymentConfiguration = 'CodeDeployDefault.LambdaCanary10Percent10Minutes';

/**
 * Share of the invocations of a new version that may fail in a minute. The functions answer their own errors with status
 * 500, which is no failed invocation. An invocation fails when the function crashes or runs out of time.
 */
const toleratedFailures = 0.01;

/**
 * Publishes a version of each function with each change of its code or configuration, and has CodeDeploy move the
 * requests to it in steps. If an alarm is raised meanwhile, CodeDeploy moves them back and the update fails, so that
 * CloudFormation rolls it back (docs/decisions/0032-releases-take-themselves-back.md).
 */
export class GradualDeployment<Name extends string> extends Construct {
  /** The aliases, which are to get the requests in place of the functions. */
  readonly aliases: Readonly<Record<Name, CfnAlias>>;
  private readonly application: CfnApplication;
  private readonly role: Role;

  constructor(scope: Construct, id: string, props: GradualDeploymentProps<Name>) {
    super(scope, id);
    const { functions, rollbackAlarms } = props;
    this.application = new CfnApplication(this, 'Application', { computePlatform: 'Lambda' });
    this.role = this.makeRole();
    const entries = Object.entries<ServiceFunction>(functions);
    const policy = this.allowShifting(entries.map(([, deployed]) => deployed));
    const aliases = entries.map(([name, deployed]) => {
      const alias = this.makeAlias(deployed, rollbackAlarms);
      // CodeDeploy needs its permissions as soon as the alias changes.
      alias.node.addDependency(policy);
      return [name, alias];
    });
    this.aliases = Object.fromEntries(aliases) as Record<Name, CfnAlias>;
    // With the functions, the permissions to invoke their aliases.
    const inUse = [...Object.values<CfnAlias>(this.aliases), ...entries.map(([, deployed]) => deployed)];
    new AliasRemoval(this, 'Removal', props).node.addDependency(props.after, ...inUse);
  }

  /** CodeDeploy assumes it for this application alone (CodeDeploy, "Cross-service confused deputy prevention"). */
  private makeRole(): Role {
    const stack = Stack.of(this);
    const groups = stack.formatArn({
      service: 'codedeploy',
      resource: 'deploymentgroup',
      resourceName: `${this.application.ref}/*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    return new Role(this, 'Role', {
      description:
        'Permissions of CodeDeploy: moves requests to new versions of the functions behind the API',
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': stack.account },
          StringLike: { 'aws:SourceArn': groups },
        },
      }),
    });
  }

  /**
   * What the managed policy AWSCodeDeployRoleForLambdaLimited allows, for these functions alone, without its permissions
   * for hooks and for AppSpec files in S3: there are no hooks, and CloudFormation hands the AppSpec over itself.
   */
  private allowShifting(functions: readonly ServiceFunction[]): Policy {
    const arns = functions.map((deployed) => deployed.function.functionArn);
    const policy = new Policy(this, 'Policy', {
      roles: [this.role],
      statements: [
        new PolicyStatement({
          actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
          resources: arns.flatMap((arn) => [arn, `${arn}:*`]),
        }),
        new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }),
      ],
    });
    Validations.of(policy).acknowledge(
      {
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason:
          'It reads the states of alarms and changes nothing. The managed policy of CodeDeploy asks for all alarms, ' +
          'and a deployment fails when CodeDeploy cannot read one.',
      },
      ...functions.map((deployed) => ({
        id: `AwsSolutions-IAM5[Resource::<${logicalIdOf(deployed)}.Arn>:*]`,
        reason:
          'The wildcard stands for the versions and the alias of one function: each deployment has a new version.',
      })),
    );
    return policy;
  }

  private makeAlias(deployed: ServiceFunction, rollbackAlarms: readonly Alarm[]): CfnAlias {
    const { id } = deployed.node;
    const version = deployed.function.currentVersion;
    const alarms = [...rollbackAlarms, this.alarmOf(deployed, version)];
    const group = new CfnDeploymentGroup(this, `${id}Group`, {
      applicationName: this.application.ref,
      serviceRoleArn: this.role.roleArn,
      deploymentConfigName: deploymentConfiguration,
      deploymentStyle: { deploymentType: 'BLUE_GREEN', deploymentOption: 'WITH_TRAFFIC_CONTROL' },
      alarmConfiguration: {
        enabled: true,
        ignorePollAlarmFailure: false,
        alarms: alarms.map(({ alarmName }) => ({ name: alarmName })),
      },
      autoRollbackConfiguration: {
        enabled: true,
        events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
      },
    });
    const alias = new CfnAlias(this, `${id}Alias`, {
      name: aliasName,
      description: 'The version that answers requests',
      functionName: deployed.function.functionName,
      functionVersion: version.version,
    });
    alias.cfnOptions.updatePolicy = {
      codeDeployLambdaAliasUpdate: { applicationName: this.application.ref, deploymentGroupName: group.ref },
    };
    // The alarm looks at the new version from the first request on.
    alias.node.addDependency(group, ...alarms);
    return alias;
  }

  /** Compares nothing with the version before: what fails there is no reason to stay with it. */
  private alarmOf(deployed: ServiceFunction, version: Version): Alarm {
    const { functionName } = deployed.function;
    return new Alarm(this, `${deployed.node.id}Failures`, {
      alarmDescription: `Invocations of the newest version of the function ${deployed.node.id} fail: a deployment that moves requests to it is taken back`,
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'Errors',
        // One version behind the alias: with all versions, a tenth of the requests would hardly be seen.
        dimensionsMap: {
          FunctionName: functionName,
          Resource: `${functionName}:${aliasName}`,
          ExecutedVersion: version.version,
        },
        period: Duration.minutes(1),
        // Lambda sends 1 for each invocation that failed and 0 for each other: the average is the share of failures.
        statistic: 'Average',
      }),
      threshold: toleratedFailures,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

function logicalIdOf({ function: { node, stack } }: ServiceFunction): string {
  return stack.getLogicalId(node.defaultChild as CfnElement);
}
