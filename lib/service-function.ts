import { Duration, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  CfnPermission,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type EnvironmentKey, environmentNames, noMetrics } from '../contract/internal/environment.ts';
import { allow } from './allow.ts';
import { bundleHandler, bundleOf } from './bundle/bundle-function.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Configuration } from './settings.ts';

export interface ServiceFunctionProps {
  /** Folder under `lambdas/`. */
  readonly name: string;
  readonly description: string;
  readonly lifecycle: Lifecycle;
  /**
   * Memory in megabytes. It also determines the CPU: 1,769 MB corresponds to one core (Lambda, "Configure
   * Lambda function memory").
   */
  readonly memorySize: number;
  readonly timeout: Duration;
  /** Exactly the variables that the function reads. */
  readonly environment: { readonly [Key in EnvironmentKey]?: string };
  /** Queue for the events that failed after every retry. For functions in the background only. */
  readonly deadLetterQueue?: IQueue;
}

/**
 * Service principal, and the source for which it may invoke: other sources cannot invoke the function through
 * the service.
 */
export type InvocationSource = { readonly service: string } & (
  | { readonly sourceArn: string }
  | { readonly sourceAccount: string }
);

/**
 * Corresponds to a little more than half a core. Half of this memory would lower the cost of a request by one
 * or two per cent. But a cold start, for which a client waits, would take twice as long. More memory would
 * cost more than it saves in time, because a warm request mostly waits for the network (docs/cost.md).
 */
const apiMemorySize = 1024;

/** Well below API Gateway's timeout of 30 s. The function responds with 500 before this time, too. */
const apiTimeout = Duration.seconds(10);

/** Memory and timeout of a function that responds to HTTP requests. */
export const apiFunction = { memorySize: apiMemorySize, timeout: apiTimeout } as const;

/**
 * Memory and timeout of a function that runs in the background, where no client waits. With less memory, a
 * cold start would approach the time limit of one call of the SDK, and would save less than a hundredth of
 * the cost of a recorded upload.
 */
export const backgroundFunction = { memorySize: 512, timeout: Duration.seconds(60) } as const;

/** Returns the namespace of a function's metrics: the name of the stack, or none. */
export function metricsNamespaceOf(scope: Construct, { monitoring }: Configuration): string {
  return monitoring === 'none' ? noMetrics : Stack.of(scope).stackName;
}

/**
 * A function with its own bundle, role and log group. At first the role may only write to that log group. Grant methods
 * of other resources add permissions.
 */
export class ServiceFunction extends Construct {
  readonly role: Role;
  readonly function: LambdaFunction;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: props.lifecycle.logRetention,
      removalPolicy: props.lifecycle.removalPolicy,
    });
    this.role = new Role(this, 'Role', {
      description: `Permissions of ${props.name}: ${props.description}`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    allow(this.role, ['logs:CreateLogStream', 'logs:PutLogEvents'], this.logGroup.logGroupArn);
    this.function = new LambdaFunction(this, 'Function', {
      description: props.description,
      code: bundleOf(props.name),
      handler: bundleHandler,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memorySize,
      timeout: props.timeout,
      role: this.role,
      environment: variablesOf(props.environment),
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Below WARN, the platform writes three lines for each request, which add cost and are not needed.
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(props.deadLetterQueue && { deadLetterQueue: props.deadLetterQueue }),
    });
  }

  /**
   * Lets an AWS service invoke the function for one source. The invoking resource must depend on the result.
   */
  allowInvocation(id: string, source: InvocationSource): CfnPermission {
    const { service, ...restriction } = source;
    return new CfnPermission(this, `${id}Permission`, {
      action: 'lambda:InvokeFunction',
      functionName: this.function.functionArn,
      principal: service,
      ...restriction,
    });
  }
}

function variablesOf(environment: ServiceFunctionProps['environment']): Record<string, string> {
  const keys = Object.keys(environmentNames) as EnvironmentKey[];
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = environment[key];
      return value === undefined ? [] : [[environmentNames[key], value]];
    }),
  );
}
