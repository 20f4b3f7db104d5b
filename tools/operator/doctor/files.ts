import type { Deployment } from '../deployment/deployment.ts';
import { fileSource } from '../files/file.ts';
import { allOf, readAll } from '../lists/read.ts';
import { type CheckResult, ok, warning } from './finding.ts';

/** Names files that are overdue. */
export async function checkOverdueFiles(deployment: Deployment): Promise<CheckResult> {
  const files = await allOf(readAll(deployment, fileSource({ overdue: 'true' }), { limit: 10 }));
  return files.length === 0
    ? ok('none: each watched file got content within its interval')
    : warning(
        `Files got no content within their interval, such as ${files.map(({ file_id }) => file_id).join(', ')}.`,
        'Find out why no client uploads them: docs/runbooks.md#filesoverdue.',
        { noun: 'file', verb: 'list', answers: { overdue: 'true' } },
      );
}
