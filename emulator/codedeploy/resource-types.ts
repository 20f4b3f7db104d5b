import * as v from 'valibot';
import { defineResourceType, tagListSchema } from '../shared/resource-type.ts';

/** Groups deployments. Its name is made by CloudFormation. */
export const applicationType = defineResourceType(
  'AWS::CodeDeploy::Application',
  v.strictObject({ ComputePlatform: v.literal('Lambda'), Tags: tagListSchema }),
);

/** The predefined configurations for Lambda (CodeDeploy User Guide, "Deployment configurations on a Lambda platform"). */
const configurationPattern =
  /^CodeDeployDefault\.Lambda(AllAtOnce|Canary10Percent(5|10|15|30)Minutes|Linear10PercentEvery(1|2|3|10)Minutes?)$/;

/** CodeDeploy User Guide, "Quotas": alarms of a deployment group. */
const mostAlarms = 10;

/**
 * How the traffic of an alias moves to another version, and what moves it back. The emulator makes a stack anew at each
 * start, so there is never a deployment. deployment-checks.ts checks what one would need.
 */
export const deploymentGroupType = defineResourceType(
  'AWS::CodeDeploy::DeploymentGroup',
  v.strictObject({
    ApplicationName: v.string(),
    ServiceRoleArn: v.string(),
    DeploymentConfigName: v.pipe(v.string(), v.regex(configurationPattern, 'not a configuration for Lambda')),
    DeploymentStyle: v.strictObject({
      DeploymentType: v.literal('BLUE_GREEN'),
      DeploymentOption: v.literal('WITH_TRAFFIC_CONTROL'),
    }),
    AlarmConfiguration: v.optional(
      v.strictObject({
        Enabled: v.boolean(),
        IgnorePollAlarmFailure: v.optional(v.boolean()),
        Alarms: v.pipe(v.array(v.strictObject({ Name: v.string() })), v.maxLength(mostAlarms)),
      }),
    ),
    AutoRollbackConfiguration: v.optional(
      v.strictObject({
        Enabled: v.boolean(),
        Events: v.array(
          v.picklist(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST']),
        ),
      }),
    ),
    Tags: tagListSchema,
  }),
);
