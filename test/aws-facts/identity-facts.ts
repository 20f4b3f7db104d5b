import { type AwsFact, heldBy, nothing, page, recording } from './fact.ts';

const recorded = (title: string) => heldBy('emulator/recorded.test.ts', title);
const services = (title: string) => heldBy('emulator/aws-services.test.ts', title);
const iam = (title: string) => heldBy('emulator/iam/iam.test.ts', title);
const rotation = (title: string) => heldBy('emulator/secrets-manager/rotation.test.ts', title);
const secret = (title: string) => heldBy('emulator/secrets-manager/secret.test.ts', title);
const recordedSecret = (test: string, date: string) =>
  recording.other(`secretsmanager/test_secretsmanager.py::TestSecretsManager::${test}`, date);

/** STS, IAM, KMS and Secrets Manager. */
export const identityFacts: readonly AwsFact[] = [
  {
    id: 'sts-role-chaining',
    service: 'STS',
    behaviour: 'A role that another role assumes has a session of 3,600 s at most',
    basis: page('IAM User Guide, role chaining', 'IAM/latest/UserGuide/id_roles.html#iam-term-role-chaining'),
    heldBy: heldBy(
      'emulator/s3/objects.test.ts',
      'are for the role in the trust policy only, and for an hour at most',
    ),
    verify: true,
  },
  {
    id: 'sts-least-duration',
    service: 'STS',
    behaviour: 'A session lasts 900 s at least',
    basis: page('STS API reference, AssumeRole', 'STS/latest/APIReference/API_AssumeRole.html'),
    heldBy: heldBy('lambdas/sync/assume-upload-signer.test.ts', 'live at least as long as STS allows'),
    verify: false,
  },
  {
    id: 'sts-session-policy',
    service: 'STS',
    behaviour: 'A session policy only narrows what the role may do; its text has 2,048 characters at most',
    basis: page('STS API reference, AssumeRole', 'STS/latest/APIReference/API_AssumeRole.html'),
    heldBy: heldBy(
      'emulator/s3/objects.test.ts',
      'put the one key that their session policy allows, and no other',
    ),
    verify: false,
  },
  {
    id: 'sts-assume-role-answer',
    service: 'STS',
    behaviour:
      'AssumeRole answers four fields of Credentials, and AssumedRoleUser with Arn and AssumedRoleId',
    basis: recording.other('sts/test_sts.py::TestSTSIntegrations::test_assume_role', '2024-06-05'),
    heldBy: heldBy(
      'emulator/s3/objects.test.ts',
      'are for the role in the trust policy only, and for an hour at most',
    ),
    verify: true,
  },
  {
    id: 'sts-invalid-parameters',
    service: 'STS',
    behaviour: 'A malformed role ARN or session name is a ValidationError that repeats it',
    basis: recording.other('sts/test_sts.py::TestSTSIntegrations::test_sts_invalid_parameters', '2025-07-21'),
    heldBy: recorded('calls a role ARN and a session name invalid in the recorded words'),
    verify: false,
  },
  {
    id: 'sts-credential-errors',
    service: 'STS',
    behaviour: 'Bad credentials are InvalidClientTokenId, SignatureDoesNotMatch or ExpiredToken, all 403',
    basis: nothing('`sync` answers 500 to a client for any of them, and logs the name as it came'),
    heldBy: recorded('refuses credentials under the names of the query protocol'),
    verify: false,
  },
  {
    id: 'query-protocol-errors',
    service: 'STS',
    behaviour:
      'STS, IAM, CloudFormation, and SQS without X-Amz-Target, answer errors in XML with Type, Code, Message',
    basis: page('IAM API reference, making query requests', 'IAM/latest/UserGuide/programming.html'),
    heldBy: recorded('%s answers errors of its query protocol in XML'),
    verify: false,
  },
  {
    id: 'sts-throttling',
    service: 'STS',
    behaviour:
      'AssumeRole is throttled for all callers of an account and Region together, at about 600 a second',
    basis: page('IAM User Guide, STS quotas', 'IAM/latest/UserGuide/reference_iam-quotas.html'),
    heldBy: heldBy(
      'long/faults/faults.test.ts',
      'clients get the contract body for 500 and nothing else, in time',
    ),
    verify: false,
  },
  {
    id: 'iam-propagation',
    service: 'IAM',
    behaviour: 'A new role or policy may not be known everywhere for a while: calls get AccessDenied',
    basis: page(
      'IAM User Guide, changes that I make are not always immediately visible',
      'IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency',
    ),
    heldBy: recorded('a new role may do nothing for a while, if a test asks for that'),
    verify: false,
  },
  {
    id: 'iam-propagation-time',
    service: 'IAM',
    behaviour: 'That takes less than a minute',
    basis: nothing('A deployment that fails because it takes longer is rolled back, and can be repeated'),
    heldBy: heldBy('lambdas/signing-keys/change-keys.test.ts', 'waits for IAM for about a minute'),
    verify: false,
  },
  {
    id: 'iam-explicit-deny',
    service: 'IAM',
    behaviour: 'A denial in any policy wins',
    basis: page(
      'IAM User Guide, policy evaluation logic',
      'IAM/latest/UserGuide/reference_policies_evaluation-logic.html',
    ),
    heldBy: iam('lose to an explicit deny, wherever it stands'),
    verify: false,
  },
  {
    id: 'kms-key-policy',
    service: 'KMS',
    behaviour: 'The key policy must allow a use of the key, whatever other policies say',
    basis: page('KMS Developer Guide, key policies', 'kms/latest/developerguide/key-policies.html'),
    heldBy: iam('must agree, whatever the identity policy says'),
    verify: true,
  },
  {
    id: 'secrets-kms-rights',
    service: 'KMS',
    behaviour:
      'Secrets Manager uses the key with the rights of the caller: Decrypt to read, GenerateDataKey to write',
    basis: page(
      'Secrets Manager User Guide, encryption',
      'secretsmanager/latest/userguide/security-encryption.html',
    ),
    heldBy: services('are written by who may generate data keys with it'),
    verify: true,
  },
  {
    id: 'secrets-rotation-kms-rights',
    service: 'KMS',
    behaviour: 'Under whose rights Secrets Manager writes the version of a rotation that it begins',
    basis: nothing(
      'The version that Secrets Manager makes is never read before `createSecret` has written it',
    ),
    heldBy: secret('does not find the version of a rotation that has put no value yet'),
    verify: true,
  },
  {
    id: 'secrets-stages',
    service: 'Secrets Manager',
    behaviour: 'A label is on one version at a time, and AWSPREVIOUS follows AWSCURRENT by itself',
    basis: recordedSecret('test_deprecated_secret_version_stage', '2024-03-29'),
    heldBy: secret('moves AWSCURRENT, and AWSPREVIOUS follows by itself'),
    verify: true,
  },
  {
    id: 'secrets-pending-stays',
    service: 'Secrets Manager',
    behaviour: 'A version that gets AWSCURRENT keeps its other labels, AWSPENDING included',
    basis: recordedSecret('test_update_secret_version_stages_current_pending_cycle', '2022-09-28'),
    heldBy: heldBy('local/signing-key-rotation.test.ts', 'finishSecret: the next key signs and verifies'),
    verify: false,
  },
  {
    id: 'secrets-stage-compare-and-swap',
    service: 'Secrets Manager',
    behaviour: 'A label moves only if RemoveFromVersionId names the version that has it',
    basis: page(
      'Secrets Manager API reference, UpdateSecretVersionStage',
      'secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html',
    ),
    heldBy: secret('must be told where the label is'),
    verify: true,
  },
  {
    id: 'secrets-version-immutable',
    service: 'Secrets Manager',
    behaviour: 'A ClientRequestToken that is used again with another value is a ResourceExistsException',
    basis: page(
      'Secrets Manager API reference, PutSecretValue',
      'secretsmanager/latest/apireference/API_PutSecretValue.html',
    ),
    heldBy: secret('changes nothing when it is repeated, and never a value'),
    verify: false,
  },
  {
    id: 'secrets-missing-value',
    service: 'Secrets Manager',
    behaviour: 'A version or label that does not exist is a ResourceNotFoundException',
    basis: recordedSecret('test_secret_version_not_found', '2024-06-13'),
    heldBy: services('is answered with ResourceNotFoundException, in the words of AWS'),
    verify: false,
  },
  {
    id: 'secrets-label-of-other-version',
    service: 'Secrets Manager',
    behaviour: 'VersionId and VersionStage that do not belong together are an InvalidRequestException',
    basis: recordedSecret('test_get_secret_value_errors', '2024-04-11'),
    heldBy: recorded('and tells a wrong label apart'),
    verify: false,
  },
  {
    id: 'secrets-describe-empty',
    service: 'Secrets Manager',
    behaviour: 'DescribeSecret leaves out RotationEnabled and VersionIdsToStages when there are none',
    basis: recordedSecret('test_create_secret_version_from_empty_secret', '2023-09-05'),
    heldBy: recorded('describes a secret without value and rotation by leaving both out'),
    verify: false,
  },
  {
    id: 'secrets-rotation-steps',
    service: 'Secrets Manager',
    behaviour: 'A rotation calls the function four times, with one token that is the id of the new version',
    basis: page(
      'Secrets Manager User Guide, Lambda rotation functions',
      'secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html',
    ),
    heldBy: rotation('calls the function with the four steps and one token'),
    verify: true,
  },
  {
    id: 'secrets-rotation-outcome',
    service: 'Secrets Manager',
    behaviour: 'After a rotation the old version has AWSPREVIOUS and the new one AWSCURRENT',
    basis: recordedSecret('test_rotate_secret_with_lambda_success[None]', '2025-03-30'),
    heldBy: heldBy('local/signing-key-rotation.test.ts', 'finishSecret: the next key signs and verifies'),
    verify: true,
  },
  {
    id: 'secrets-rotation-unfinished',
    service: 'Secrets Manager',
    behaviour:
      'While AWSPENDING is on a version without AWSCURRENT, a second RotateSecret repeats that rotation',
    basis: page(
      'Secrets Manager API reference, RotateSecret',
      'secretsmanager/latest/apireference/API_RotateSecret.html',
    ),
    heldBy: rotation('stops at a step that fails, and later goes on with the same version'),
    verify: false,
  },
  {
    id: 'secrets-rotate-without-function',
    service: 'Secrets Manager',
    behaviour: 'RotateSecret of a secret without function is an InvalidRequestException',
    basis: recordedSecret('test_first_rotate_secret_with_missing_lambda_arn', '2025-03-27'),
    heldBy: recorded('describes a secret without value and rotation by leaving both out'),
    verify: false,
  },
  {
    id: 'secrets-rotate-later-test',
    service: 'Secrets Manager',
    behaviour:
      'A schedule with RotateImmediatelyOnUpdate false runs `testSecret` on a pending version of its own',
    basis: page(
      'Secrets Manager API reference, RotateSecret',
      'secretsmanager/latest/apireference/API_RotateSecret.html',
    ),
    heldBy: heldBy('lambdas/signing-keys/rotate.test.ts', 'with a copy of the current keys passes its test'),
    verify: true,
  },
  {
    id: 'secrets-rotate-later-value',
    service: 'Secrets Manager',
    behaviour: 'What that pending version holds: a copy of the current value, or nothing',
    basis: nothing(
      'The test takes either, and the function that sets the schedule removes the version if it stays. It must be checked: ' +
        'it may hold up the first rotation',
    ),
    heldBy: heldBy('lambdas/signing-keys/rotate.test.ts', 'without prepared keys fails in %s'),
    verify: true,
  },
  {
    id: 'secrets-eventual-consistency',
    service: 'Secrets Manager',
    behaviour: 'A label that has moved may be seen at its old version for a moment',
    basis: page(
      'Secrets Manager User Guide, troubleshooting',
      'secretsmanager/latest/userguide/troubleshoot.html',
    ),
    heldBy: recorded('shows a moved label late to readers, and not to writers'),
    verify: false,
  },
];
