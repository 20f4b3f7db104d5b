import type { Deployment } from '../deployment/deployment.ts';
import { type Kind, kinds, throwDamage } from '../deployment/items.ts';
import { scanTable } from '../lists/scan.ts';
import { type CheckResult, ok } from './finding.ts';

/**
 * Checks for damaged items. Reads at most 4 MB of a table, to keep the check fast and cheap.
 *
 * @throws {OperationError} with the damaged items
 */
export async function checkItems(deployment: Deployment): Promise<CheckResult> {
  const damage = new Set<string>();
  for (const kind of Object.keys(kinds) as Kind[]) {
    await scanTable({ ...deployment, damage }, kind, () => false, { isTimeUp: () => true });
  }
  throwDamage(damage);
  return ok('no damaged item in the first 4 MB of each table. Lists check all items');
}
