import { Duration } from 'aws-cdk-lib';
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
import { type EnvironmentKey, environmentNames } from '../lambdas/shared/environment.ts';
import { allow } from './allow.ts';
import type { Configuration } from './configuration.ts';
import { bundleHandler, bundleOf } from './function-bundle.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface ServiceFunctionProps {
  /** Folder under `lambdas/`. */
  readonly name: string;
  readonly description: string;
  readonly lifecycle: Lifecycle;
  /** In megabytes. CPU comes with it: 1,769 MB is one core (Lambda, "Configure Lambda function memory"). */
  readonly memorySize: number;
  readonly timeout: Duration;
  /** Invocations at once, set aside for this function; absent: as many as the account has left. */
  readonly reservedConcurrency?: number | undefined;
  /** Exactly what the function reads. */
  readonly environment: { readonly [Key in EnvironmentKey]?: string };
  /** Takes the events that failed after every retry. For functions that nobody waits for. */
  readonly deadLetterQueue?: IQueue;
}

/** A service principal, and on whose behalf it must call, so that nobody else can make it call. */
export type InvocationSource = { readonly service: string } & (
  | { readonly sourceArn: string }
  | { readonly sourceAccount: string }
);

/**
 * Half a core and more: start-up is CPU-bound (loading the SDK), and a client waits for it. More memory would cost
 * more for each of the short warm requests than it saves on the rare cold ones.
 */
const httpMemorySize = 1024;

/** Ends before API Gateway gives up after 30 s, so that the client gets the contract's 500. */
const httpTimeout = Duration.seconds(10);

/** Memory and timeout of a function that answers HTTP requests. */
export const httpFunction = { memorySize: httpMemorySize, timeout: httpTimeout } as const;

/** Memory and timeout of a function that runs in the background. */
export const backgroundFunction = { memorySize: 512, timeout: Duration.seconds(60) } as const;

/** The concurrency to set aside for a background function, if any is to be. */
export function reserved(concurrency: number, { reservedConcurrency }: Configuration): number | undefined {
  return reservedConcurrency === 'background' ? concurrency : undefined;
}

/**
 * A function with its own bundle, role and log group. The role starts with the right to write that log group; all
 * else comes from grant methods of the resources.
 */
export class ServiceFunction extends Construct {
  readonly role: Role;
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.lifecycle.logRetention,
      removalPolicy: props.lifecycle.removalPolicy,
    });
    this.role = new Role(this, 'Role', {
      description: `Permissions of ${props.name}: ${props.description}`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    allow(this.role, {
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    this.function = new LambdaFunction(this, 'Function', {
      description: props.description,
      code: bundleOf(props.name),
      handler: bundleHandler,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memorySize,
      timeout: props.timeout,
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
      role: this.role,
      environment: variablesOf(props.environment),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // The platform writes three lines for each request below WARN; they are billed and nobody reads them.
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(props.deadLetterQueue && { deadLetterQueue: props.deadLetterQueue }),
    });
  }

  /** Lets an AWS service invoke the function, from the one source that is named. What invokes it waits for this. */
  allowInvocation(id: string, { service, ...source }: InvocationSource): CfnPermission {
    return new CfnPermission(this, `${id}Permission`, {
      action: 'lambda:InvokeFunction',
      functionName: this.function.functionArn,
      principal: service,
      ...source,
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
