import { expectedFileFromItem, queryExpected } from '../../../storage/file-expected.ts';
import { afterEveryKey } from '../../../storage/newest-first.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type CheckResult, ok, warning } from './finding.ts';

/** Names the files that are overdue, longest first. */
export async function checkOverdueFiles(deployment: Deployment): Promise<CheckResult> {
  const client = await dynamoDBClient(deployment);
  const { FilesTableName: TableName } = deployment.outputs;
  const { Items = [] } = await client.query({
    TableName,
    ...queryExpected('overdue', afterEveryKey),
    Limit: 10,
  });
  const ids = Items.map((item) => expectedFileFromItem(item).file_id);
  return ids.length === 0
    ? ok('none got no content within its expected interval')
    : warning(
        `Files got no content within their expected interval, such as ${ids.join(', ')}.`,
        'Find out why no client uploads them: docs/runbooks.md#filesoverdue.',
        { noun: 'file', verb: 'list', answers: { overdue: 'true' } },
      );
}
