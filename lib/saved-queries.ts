import { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/** The functions that record uploads. */
const recording = ['record-upload', 'reconcile-uploads'] as const;

/** The functions that requests and uploads come through. */
const functions = ['token', 'volumes', 'sync', 'well-known', ...recording] as const;

/** The log groups that queries ask: the access log, and those of functions. */
export const queriedLogs = ['access', ...functions] as const;

type QueriedLog = (typeof queriedLogs)[number];

interface SavedQuery {
  /** The question that it answers. */
  readonly question: string;
  readonly logs: readonly QueriedLog[];
  /** Commands of Logs Insights, one a line. */
  readonly query: readonly string[];
}

/**
 * The saved queries of CloudWatch Logs Insights, by name. The messages are those of lambdas/shared/log.ts; a test runs each
 * query over lines that the functions wrote.
 */
export const savedQueries = {
  'who-is-refused': {
    question: 'Which clients and organisations are refused, and why?',
    logs: ['token', 'volumes', 'sync'],
    query: [
      'filter message in ["Access token refused", "Request refused"]',
      'stats count(*) as refused by organisation_id, client_id, refusal, reason',
      'sort refused desc',
    ],
  },
  'one-request': {
    question: 'What happened to one request, and to its upload? Put in the id of either',
    logs: ['access', ...functions],
    query: [
      'fields @timestamp, @log, route, status, message, reason, client_id, file_id, upload_id, error_name, error_message',
      'filter request_id = "REQUEST-ID" or upload_id = "UPLOAD-ID"',
      'sort @timestamp asc',
    ],
  },
  'slow-requests': {
    question: 'Which requests took more than a second?',
    logs: ['access'],
    query: [
      'fields @timestamp, request_id, route, status, response_latency_ms, integration_latency_ms',
      'filter response_latency_ms > 1000',
      'sort response_latency_ms desc',
      'limit 100',
    ],
  },
  'latency-by-route': {
    question: 'How long do requests take?',
    logs: ['access'],
    query: [
      'stats count(*) as requests, pct(response_latency_ms, 50) as p50, pct(response_latency_ms, 99) as p99, ' +
        'max(response_latency_ms) as longest by route',
      'sort p99 desc',
    ],
  },
  'uploads-by-organisation': {
    question: 'Whose uploads arrive, and how large are they?',
    logs: recording,
    query: [
      'filter message = "Upload recorded" and UploadsCompleted = 1',
      'stats count(*) as uploads, sum(UploadBytes) as bytes, pct(UploadTime, 50) as median_ms by organisation_id, client_id',
      'sort bytes desc',
    ],
  },
  errors: {
    question: 'What fails?',
    logs: functions,
    query: [
      'fields @timestamp, @log, message, request_id, route, upload_id, error_name, error_message, aws_status, aws_request_id',
      'filter level = "ERROR"',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  'cold-starts': {
    question: 'How often does each function start?',
    logs: functions,
    query: [
      'filter ColdStarts = 1',
      'stats count(*) as cold_starts by Function, bin(1h)',
      'sort cold_starts desc',
    ],
  },
  throttled: {
    question: 'Who is throttled (429)?',
    logs: ['access'],
    query: ['filter status = 429', 'stats count(*) as throttled by route, ip', 'sort throttled desc'],
  },
  'requests-by-version': {
    question: 'Is a version of the API still in use?',
    logs: ['access'],
    query: [
      'parse route "* /*/*" as method, version, rest',
      'stats count(*) as requests by version, route, status',
      'sort requests desc',
    ],
  },
  'clients-by-version': {
    question: 'Which clients ask for upload URLs, and in which version?',
    logs: ['sync'],
    query: [
      'filter message in ["Upload URL issued", "Request refused"]',
      'stats count(*) as requests by version, organisation_id, client_id',
      'sort requests desc',
    ],
  },
} as const satisfies Readonly<Record<string, SavedQuery>>;

export interface SavedQueriesProps {
  readonly logs: { readonly [Name in QueriedLog]: LogGroup };
}

/** The queries in CloudWatch, in a folder with the name of the stack. They cost nothing until somebody runs one. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, { logs }: SavedQueriesProps) {
    super(scope, id);
    for (const [name, { logs: asked, query }] of Object.entries(savedQueries)) {
      new CfnQueryDefinition(this, idOf(name), {
        name: `${Stack.of(this).stackName}/${name}`,
        queryString: queryText(query),
        logGroupNames: asked.map((log) => logs[log].logGroupName),
      });
    }
  }
}

/** The text of a query, as CloudWatch shows it. */
export function queryText(commands: readonly string[]): string {
  return commands.join('\n| ');
}

/** `who-is-refused` becomes `WhoIsRefused`. */
function idOf(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
