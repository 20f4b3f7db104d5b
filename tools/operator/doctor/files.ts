import type { Deployment } from '../deployment/deployment.ts';
import { fileSource } from '../files/file.ts';
import { allOf, readAll } from '../lists/read.ts';
import { type CheckResult, ok, warning } from './finding.ts';

/** Checks for overdue files, and names at most ten. */
export async function checkOverdueFiles(deployment: Deployment): Promise<CheckResult> {
  const files = await allOf(readAll(deployment, fileSource({ overdue: 'true' }), { limit: 10 }));
  return files.length === 0
    ? ok('none of the watched files')
    : warning(
        `Files are overdue: no content arrived before their deadlines. They include ${files.map(({ file_id }) => file_id).join(', ')}.`,
        'Find out why no client uploads them: docs/runbooks.md#filesoverdue.',
        { noun: 'file', verb: 'list', answers: { overdue: 'true' } },
      );
}
