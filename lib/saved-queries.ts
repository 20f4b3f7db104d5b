import { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { logMessages } from '../contract/internal/log-messages.ts';
import { rejectionMessages } from '../contract/internal/request-log.ts';
import { foldersOf, type Route, routes } from '../contract/routes.ts';

/** Logs of the queries: the access log, and logs of functions. */
export const queriedLogs = [
  'access',
  ...foldersOf(Object.values(routes)),
  'record-upload',
  'reconcile-uploads',
] as const;

type QueriedLog = (typeof queriedLogs)[number];

interface SavedQuery {
  /** Question that the query answers. */
  readonly question: string;
  readonly logs: readonly QueriedLog[];
  /** Commands of Logs Insights, one a line. */
  readonly query: readonly string[];
}

/** Returns the logs with rejections: the access log, and the logs of the functions that require credentials. */
export function logsOfRejections(all: readonly Route[]): readonly QueriedLog[] {
  return ['access', ...foldersOf(all.filter(({ needs }) => needs !== 'nothing'))];
}

const rejections = Object.values(rejectionMessages).map((message) => `"${logMessages[message]}"`);

/**
 * The saved queries of CloudWatch Logs Insights, by name. A test checks each query against log lines of the
 * functions.
 */
export const savedQueries = {
  'who-is-rejected': {
    question: 'Which clients and addresses are rejected or throttled (429), and why?',
    logs: logsOfRejections(Object.values(routes)),
    query: [
      `filter status = 429 or message in [${rejections.join(', ')}]`,
      'stats count(*) as rejected by route, ip, status, organisation_id, client_id, rejection, reason',
      'sort rejected desc',
    ],
  },
  'one-request': {
    question: 'What happened to one request, and to its upload? Put in the request id or the upload id',
    logs: queriedLogs,
    query: [
      'fields @timestamp, @log, route, status, message, reason, client_id, file_id, upload_id, error_name, error_message',
      'filter request_id = "REQUEST-ID" or upload_id = "UPLOAD-ID"',
      'sort @timestamp asc',
    ],
  },
  errors: {
    question: 'What fails?',
    logs: queriedLogs.slice(1),
    query: [
      'fields @timestamp, @log, message, request_id, route, upload_id, error_name, error_message, aws_status, aws_request_id',
      'filter level = "ERROR"',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
} as const satisfies Readonly<Record<string, SavedQuery>>;

/** Log groups of the queried logs. The key of a function is the name of its folder in `lambdas/`. */
export type LogGroups = { readonly [Name in QueriedLog]: { readonly logGroup: LogGroup } };

/** The queries in CloudWatch, in a folder with the name of the stack. They are free until they run. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, logGroups: LogGroups) {
    super(scope, id);
    for (const [name, { logs, query }] of Object.entries(savedQueries)) {
      new CfnQueryDefinition(this, idOf(name), {
        name: `${Stack.of(this).stackName}/${name}`,
        queryString: queryText(query),
        logGroupNames: logs.map((log) => logGroups[log].logGroup.logGroupName),
      });
    }
  }
}

/** Returns the text of a query, in CloudWatch's format. */
export function queryText(commands: readonly string[]): string {
  return commands.join('\n| ');
}

/** Converts `who-is-rejected` to `WhoIsRejected`. */
function idOf(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
