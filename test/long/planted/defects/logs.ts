import type { Subject } from '../defect.ts';

const queries = ['test/local/saved-queries.test.ts'];
const stack = ['test/lib/observability.test.ts'];

/** What the logs say of a request, the queries over them, and traces. */
export const logs: Subject = {
  subject: 'logs',
  defects: [
    {
      name: 'query-for-another-message',
      promise: 'A saved query finds the lines that the functions write (docs/operations.md)',
      file: 'lib/saved-queries.ts',
      find: 'filter message = "Upload recorded" and',
      replace: 'filter message = "Upload was recorded" and',
      tests: queries,
    },
    {
      name: 'query-for-another-field',
      promise: 'A saved query names fields of lines that the functions write (docs/operations.md)',
      file: 'lib/saved-queries.ts',
      find: 'by organisation_id, client_id, refusal, reason',
      replace: 'by organisation_id, client_id, refusal_code, reason',
      tests: queries,
    },
    {
      name: 'query-without-the-reconciliation',
      promise: 'Uploads that the reconciliation recorded are among those that arrived (docs/operations.md)',
      file: 'lib/saved-queries.ts',
      find: '    logs: recording,',
      replace: "    logs: ['record-upload'],",
      tests: queries,
    },
    {
      name: 'query-over-another-log',
      promise: 'A saved query asks the logs that have its lines (docs/operations.md)',
      file: 'lib/file-sync-stack.ts',
      find: 'sync: sync.logGroup,',
      replace: 'sync: token.logGroup,',
      tests: stack,
    },
    {
      name: 'refusals-without-the-client',
      promise: 'A refusal after the token was verified names the client in the log (docs/operations.md)',
      file: 'lambdas/shared/api-endpoint.ts',
      find: 'callFields(endpoint, caller ?? error.client)',
      replace: 'callFields(endpoint, error.client)',
      tests: ['test/lambdas/shared/api-endpoint.test.ts'],
    },
    {
      name: 'wrong-secret-without-the-organisation',
      promise:
        'A wrong secret of a client that exists names its organisation in the log (docs/operations.md)',
      file: 'lambdas/token/authenticate-client.ts',
      find: "'The client secret is wrong or has ended', { clientId, organisationId }",
      replace: "'The client secret is wrong or has ended', clientId",
      tests: ['test/lambdas/token/token-endpoint.test.ts'],
    },
    {
      name: 'expired-tokens-among-the-invalid',
      promise: 'An expired token is a reason of its own (docs/operations.md)',
      file: 'lambdas/shared/api-error.ts',
      find: "ApiError.unauthorized('expired_token', invalidTokenChallenge",
      replace: "ApiError.unauthorized('invalid_token', invalidTokenChallenge",
      tests: ['test/lambdas/shared/access-token.test.ts'],
    },
    {
      name: 'traces-without-permission',
      promise: 'With tracing, each function may send its traces (docs/operations.md)',
      file: 'lib/tracing.ts',
      find: "'xray:PutTraceSegments', 'xray:PutTelemetryRecords'",
      replace: "'xray:PutTraceSegments'",
      tests: stack,
    },
    {
      name: 'traces-by-default',
      promise: 'Traces are sent only when the setting says so (README.md, Settings)',
      file: 'lib/file-sync-stack.ts',
      find: "configuration.tracing === 'xray'",
      replace: 'configuration.tracing !== undefined',
      tests: stack,
    },
  ],
};
