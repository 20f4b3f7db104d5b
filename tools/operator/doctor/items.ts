import type { Item } from '../../../storage/attributes.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Kind, kinds, throwDamage } from '../deployment/items.ts';
import { scanTable } from '../lists/scan.ts';
import { type CheckResult, ok } from './finding.ts';

/**
 * Checks for damaged items, and names suspended organisations. Reads at most 4 MB of a table, to keep the check fast and cheap.
 *
 * @throws {OperationError} with the damaged items
 */
export async function checkItems(deployment: Deployment): Promise<CheckResult> {
  const damage = new Set<string>();
  const suspended: string[] = [];
  for (const kind of Object.keys(kinds) as Kind[]) {
    const note = ({ organisation_id, suspended_at, deleted_at }: Item) => {
      if (kind === 'organisation' && suspended_at && !deleted_at) {
        suspended.push(organisation_id?.S ?? '');
      }
      return false;
    };
    await scanTable({ ...deployment, damage }, kind, note, { isTimeUp: () => true });
  }
  throwDamage(damage);
  const suspensions =
    suspended.length > 0 ? `. Suspended organisations: ${suspended.slice(0, 10).join(', ')}` : '';
  return ok(`no damaged item in the first 4 MB of each table. Lists check all items${suspensions}`);
}
