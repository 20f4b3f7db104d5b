import { Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { allow } from './allow.ts';
import type { Lifecycle } from './lifecycle.ts';
import { backgroundFunction, ServiceFunction } from './service-function.ts';
import type { DataTable } from './tables.ts';

export interface DeletionProtectionProps {
  readonly lifecycle: Lifecycle;
  readonly tables: readonly DataTable[];
}

/**
 * Interval of scheduled runs, in addition to a run at the end of each stack operation. A deployment without
 * changes starts no operation.
 */
const interval = Duration.minutes(15);

/**
 * Switches on the termination protection of the stack and the deletion protection of its tables, once the
 * stack is complete. The template cannot do that: a protected stack whose first creation failed can't be
 * deployed again, and a rollback can't delete a protected table
 * (docs/decisions/0020-protection-follows-the-first-success.md).
 */
export class DeletionProtection extends Construct {
  readonly function: IFunction;

  constructor(scope: Construct, id: string, { lifecycle, tables }: DeletionProtectionProps) {
    super(scope, id);
    const { stackId } = Stack.of(this);
    const protect = new ServiceFunction(this, 'Protect', {
      name: 'deletion-protection',
      description: 'Protects the complete stack and its tables from deletion',
      lifecycle,
      ...backgroundFunction,
      environment: {
        stackId,
        tableNames: tables.map(({ tableName }) => tableName).join(),
      },
    });
    this.function = protect.function;
    allow(
      protect.role,
      ['cloudformation:DescribeStacks', 'cloudformation:UpdateTerminationProtection'],
      stackId,
    );
    for (const table of tables) {
      table.grantProtect(protect.role);
    }
    new Rule(this, 'StackChanged', {
      description: 'The stack has another status, or some minutes have passed',
      // CloudFormation User Guide, "Stack Status Change event detail". The function reads the status itself.
      eventPattern: {
        source: ['aws.cloudformation'],
        detailType: ['CloudFormation Stack Status Change'],
        detail: { 'stack-id': [stackId] },
      },
      schedule: Schedule.rate(interval),
      targets: [new LambdaFunction(protect.function)],
    });
  }
}
